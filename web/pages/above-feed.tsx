import { useLayoutEffect, useRef } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { FormFields } from '#contract/page-data.ts';
import type { FirstSteps } from '#contract/wall-admin.ts';
import { nameActs, NameQuestion } from '../features/account/name-question.tsx';
import { useSession } from '../features/session/session.ts';
import { useLoaded } from '../features/session/use-loaded.ts';
import { FormHostContext } from '../forms/form-host.ts';
import { type PageContext, runAct } from '../forms/page-module.ts';
import { call } from '../lib/api.ts';
import { removeStored, writeStored } from '../lib/storage.ts';
import styles from './above-feed.module.css';
import { aboveKey } from './waiting-parts.tsx';
import { areShown, FirstStepsCard, stepsActs } from './wall/first-steps-card.tsx';

/** As they were when the feed was last shown. */
let lastSteps: FirstSteps | undefined;

const readSteps = async (): Promise<FirstSteps> => (lastSteps = await call('GET /keep/steps', {}));

/** Above the posts: for owners the first steps of the wall, for a person without a name the question about it. */
export const AboveFeed = ({ user }: { user: CurrentUser }) =>
  user.role === 'owner' ? <OwnersCards user={user} /> : <Cards user={user} />;

function OwnersCards({ user }: { user: CurrentUser }) {
  const { loaded, load } = useLoaded(readSteps, lastSteps);
  if (loaded.is !== 'here') return null;
  const steps = areShown(loaded.value) ? loaded.value : undefined;
  return <Cards user={user} steps={steps} onChange={load} />;
}

interface CardsProps {
  user: CurrentUser;
  steps?: FirstSteps | undefined;
  onChange?: () => Promise<void>;
}

function Cards({ user, steps, onChange }: CardsProps) {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.documentElement.style.removeProperty('--above');
    const observer = new ResizeObserver(([entry]) => {
      const height = Math.round(entry!.contentRect.height);
      if (height > 0) writeStored('localStorage', aboveKey, String(height));
      else removeStored('localStorage', aboveKey);
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const send = async (fields: FormFields) => {
    const { user: changed } = await runAct(
      { View: () => null, acts: { ...nameActs, ...stepsActs } },
      { call } as PageContext,
      fields,
    );
    if (changed) session.changeUser(changed);
    await onChange?.();
  };
  return (
    <FormHostContext value={{ action: addresses.settingsProfile.href(), hidden: {}, sent: null, send }}>
      <div ref={box} className={styles.cards}>
        {steps ? (
          <FirstStepsCard steps={steps} user={user} />
        ) : (
          user.name_question === 'due' && (
            <NameQuestion why="Так вас увидят рядом с вашими записями. Изменить имя можно в любое время." />
          )
        )}
      </div>
    </FormHostContext>
  );
}
