import { useState } from 'react';
import { type Keep, putKeepSettings } from '#contract/keep.ts';
import { normalizeContact, normalizeWallLine, normalizeWallName, shownContact } from '#contract/keep-settings.ts';
import { wallPaces, wallPaceText } from '#contract/pace.ts';
import { call } from '../../lib/api.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Form } from '../../ui/form.tsx';
import { useRequest } from '../session/use-request.ts';
import {
  inviteTermNames,
  isTerm,
  modeOf,
  rangeOf,
  readers,
  registrationModes,
  reportLetterChoices,
  termsOf,
} from './registration-modes.ts';
import { gateChoices, gateHourChoices } from './gate-choices.ts';
import { Section } from './section.tsx';
import styles from './section.module.css';

interface SettingsFormProps {
  settings: Keep['settings'];
  terms: Keep['invite_terms'];
  onSaved: (keep: Keep) => void;
}

/** Name, line and contact of the wall, and who may register and read. */
export function SettingsForm({ settings, terms, onSaved }: SettingsFormProps) {
  const { appName } = useClientSettings();
  const [typed, setTyped] = useState({ ...settings, contact: shownContact(settings.contact) });
  const [numbers, setNumbers] = useState(() => inviteTermNames.map(({ key }) => String(terms[key])));
  const { busy, error, send } = useRequest();
  const lines = {
    name: normalizeWallName(typed.name),
    line: normalizeWallLine(typed.line),
    contact: normalizeContact(typed.contact),
  };
  const isValid = Object.values(lines).every(({ ok }) => ok) && numbers.every(isTerm);

  const save = () =>
    send(async () => {
      if (!isValid) return;
      const keep = await call(putKeepSettings, { body: { ...typed, invite_terms: termsOf(numbers) } });
      showToast('Сохранено');
      onSaved(keep);
      // The name stands on every page, and this one came with the former name.
      if (keep.settings.name !== appName) location.reload();
    });

  const field = (name: keyof typeof lines, label: string, note?: string) => {
    const line = lines[name];
    return (
      <FormField
        label={label}
        error={line.ok ? null : line.reason}
        note={note}
        value={typed[name]}
        readOnly={busy}
        onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
      />
    );
  };
  return (
    <Section id="about" title="О стене">
      <Form className={styles.form} onSubmit={save}>
        {field('name', 'Имя стены')}
        {field('line', 'Одной строкой о ней', 'Её увидят те, кто пришёл впервые, и поисковики.')}
        {field('contact', 'Куда писать тем, кто ведёт стену', 'Почта или адрес страницы, https://…')}
        <h3 className={styles.group}>Кто приходит и читает</h3>
        <RadioGroup
          legend="Кто может регистрироваться"
          choices={registrationModes}
          chosen={typed.registration}
          disabled={busy}
          onChoose={(id) => setTyped({ ...typed, registration: modeOf(id) })}
        />
        {typed.registration === 'members' &&
          inviteTermNames.map((term, at) => (
            <FormField
              key={term.key}
              label={term.name}
              error={isTerm(numbers[at]!, at) ? null : rangeOf(term)}
              inputMode="decimal"
              value={numbers[at]}
              readOnly={busy}
              onChange={(event) => setNumbers(numbers.with(at, event.target.value.trim()))}
            />
          ))}
        <RadioGroup
          legend="Кто читает стену"
          choices={readers}
          chosen={typed.readers}
          disabled={busy}
          onChoose={(id) => setTyped({ ...typed, readers: id === 'members' ? id : 'everyone' })}
        />
        <h3 className={styles.group}>Порядок</h3>
        <RadioGroup
          legend="Медленный режим: как часто отвечает один человек"
          choices={wallPaces.map((seconds) => ({ id: String(seconds), name: wallPaceText(seconds) }))}
          chosen={String(typed.pace)}
          disabled={busy}
          onChoose={(id) => setTyped({ ...typed, pace: wallPaces.find((seconds) => String(seconds) === id) ?? 0 })}
        />
        <RadioGroup
          legend="Первые записи новичков"
          choices={gateChoices}
          chosen={String(typed.gate_posts)}
          disabled={busy}
          onChoose={(id) => setTyped({ ...typed, gate_posts: Number(id) })}
        />
        {typed.gate_posts > 0 && (
          <RadioGroup
            legend="Если никто не посмотрел, запись появится"
            choices={gateHourChoices(typed.gate_hours)}
            chosen={String(typed.gate_hours)}
            disabled={busy}
            onChoose={(id) => setTyped({ ...typed, gate_hours: Number(id) })}
          />
        )}
        <RadioGroup
          legend="Если жалоба ждёт больше часа"
          choices={reportLetterChoices}
          chosen={typed.report_letters === false ? 'off' : 'on'}
          disabled={busy}
          onChoose={(id) => setTyped({ ...typed, report_letters: id === 'on' })}
        />
        <FormError>{error}</FormError>
        <Button type="submit" variant="primary" disabled={!isValid} busy={busy}>
          Сохранить
        </Button>
      </Form>
    </Section>
  );
}
