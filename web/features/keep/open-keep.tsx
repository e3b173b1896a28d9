import { getKeep, type Keep } from '#contract/keep.ts';
import { call } from '../../lib/api.ts';
import { createObservable, type ObservableState, useObservable } from '../../lib/observable.ts';
import type { Desk, DeskRequest } from '../moderation/desk/open-desk.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health.tsx';
import { MailCheck } from './mail-check.tsx';
import { SettingsForm } from './settings-form.tsx';
import { TextForm } from './text-form.tsx';
import { WallKeepers } from './wall-keepers.tsx';
import { Section } from './section.tsx';

/** Loads the page of owners. Fails with NOT_FOUND for everybody else. */
export async function openKeep({ signal }: Pick<DeskRequest, 'signal'>): Promise<Desk> {
  const keep = createObservable(await call(getKeep, { signal }));
  return { heading: 'Хозяйство', Content: () => <KeepSections keep={keep} /> };
}

function KeepSections({ keep }: { keep: ObservableState<Keep> }) {
  const { settings, invite_terms: terms, texts, keepers, first_steps: steps, health } = useObservable(keep);
  const refresh = async () => {
    const found = await call(getKeep, {}).catch(() => null);
    if (found) keep.set(found);
  };
  return (
    <>
      <FirstSteps steps={steps} />
      <SettingsForm settings={settings} terms={terms} onSaved={keep.set} />
      <Section id="texts" title="Тексты">
        {texts.map((text) => (
          <TextForm key={text.name} text={text} onSaved={keep.set} />
        ))}
      </Section>
      <WallKeepers keepers={keepers} />
      <MailCheck onChecked={refresh} />
      <Health health={health} />
    </>
  );
}
