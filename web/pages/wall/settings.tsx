import { type ReactNode, useEffect, useEffectEvent } from 'react';
import {
  gatePostsMax,
  normalizeContact,
  normalizeWallLine,
  normalizeWallMark,
  normalizeWallName,
} from '#contract/wall-setting-rules.ts';
import type { Keep } from '#contract/wall-admin.ts';
import { wallPaces, wallPaceText } from '#contract/pace.ts';
import { type ClientSettings, shownContact } from '#contract/page-data.ts';
import { EmojiField, emojiIn } from '../../forms/emoji-field.tsx';
import { Choices, Field } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { judgeLine } from '../../forms/judge-line.ts';
import { type Act, formProblem } from '../../forms/page-module.ts';
import { useChangeSettings, useClientSettings } from '../../lib/client-settings.ts';
import { tabIcons } from '../../lib/wall-icons.ts';
import { useKeptPictures } from './pictures.ts';
import styles from './wall-admin.module.css';

export const registrationModes = [
  { id: 'open', name: 'Каждый, у кого есть почта' },
  { id: 'members', name: 'По приглашениям участников' },
  { id: 'invite', name: 'По приглашениям тех, кто ведёт стену' },
  { id: 'closed', name: 'Никто' },
] as const;

const readers = [
  { id: 'everyone', name: 'Все' },
  { id: 'members', name: 'Участники: без входа видны только вход и тексты о стене' },
] as const;

/** When members may invite. */
const inviteTerms = [
  { key: 'invite_days', label: 'Через сколько дней участник приглашает', least: 0, most: 365 },
  { key: 'invite_posts', label: 'Сколько записей у него должно быть', least: 0, most: 1_000 },
  { key: 'invite_links', label: 'Сколько ссылок он делает за 30 дней', least: 1, most: 100 },
] as const;

interface Range {
  least: number;
  most: number;
}

const isWithin = (typed: string, { least, most }: Range): boolean =>
  /^\d{1,4}$/.test(typed) && Number(typed) >= least && Number(typed) <= most;

const rangeText = ({ least, most }: Range): string => `От ${least} до ${most}`;

const paces = wallPaces.map((seconds) => ({ id: String(seconds), seconds, name: wallPaceText(seconds) }));

const reportLetters = [
  { id: 'on', name: 'Написать всем, кто ведёт стену' },
  { id: 'off', name: 'Не писать' },
] as const;

const gatePosts = Array.from({ length: gatePostsMax + 1 }, (_, count) => ({
  id: String(count),
  count,
  name: ['Появляются сразу', 'Первая ждёт проверки'][count] ?? `Первые ${count} ждут проверки`,
}));

/** Other values come from the API. */
const gateHours = (chosen: number) =>
  [...new Set([1, 6, 12, 24, 48, chosen])]
    .toSorted((a, b) => a - b)
    .map((hours) => ({ id: String(hours), name: `через ${hours} ч.` }));

const lines = [
  { key: 'name', label: 'Имя стены', note: undefined, check: judgeLine(normalizeWallName) },
  {
    key: 'line',
    label: 'Одной строкой о ней',
    note: 'Её увидят те, кто пришёл впервые, и поисковики.',
    check: judgeLine(normalizeWallLine),
  },
  {
    key: 'contact',
    label: 'Кому писать о стене',
    note: 'Почта или адрес страницы, https://…',
    check: judgeLine(normalizeContact),
  },
] as const;

const judgeMark = judgeLine(normalizeWallMark);

type Change = Partial<Keep['settings']> & { invite_terms?: Partial<Keep['invite_terms']> };

function choiceIn<Choice extends { id: string }>(choices: readonly Choice[], id: string): Choice {
  const found = choices.find((choice) => choice.id === id);
  if (!found) throw formProblem('Выберите один из ответов.');
  return found;
}

/** What is sent for the only field of a form. */
const changes: Readonly<Record<string, (typed: string) => Change>> = {
  name: (name) => ({ name }),
  line: (line) => ({ line }),
  mark: (mark) => ({ mark }),
  contact: (contact) => ({ contact }),
  registration: (typed) => ({ registration: choiceIn(registrationModes, typed).id }),
  ...Object.fromEntries(
    inviteTerms.map(({ key, ...range }) => [
      key,
      (typed: string) => {
        if (!isWithin(typed.trim(), range)) throw formProblem(rangeText(range));
        return { invite_terms: { [key]: Number(typed) } };
      },
    ]),
  ),
  readers: (typed) => ({ readers: choiceIn(readers, typed).id }),
  pace: (typed) => ({ pace: choiceIn(paces, typed).seconds }),
  gate_posts: (typed) => ({ gate_posts: choiceIn(gatePosts, typed).count }),
  gate_hours: (typed) => ({ gate_hours: Number(typed) }),
  report_letters: (typed) => ({ report_letters: choiceIn(reportLetters, typed).id === 'on' }),
};

/** Saves one setting: a page that was opened before takes back nothing that has changed since. */
export const set: Act = async ({ call }, { id = '', ...fields }) => {
  const typed = id === 'mark' ? emojiIn(fields, id) : fields[id];
  if (typed === undefined || !Object.hasOwn(changes, id)) throw formProblem('Выберите один из ответов.');
  await call('PUT /keep/settings', { body: changes[id]!(typed) });
  return { message: 'Сохранено' };
};

/** The name, the line and the mark stand on every page and on its tab, and this one may have come with others. */
function useOnEveryPage({ name, line, mark, contact }: Keep['settings']): void {
  const shown = useClientSettings();
  const change = useChangeSettings();
  const show = useEffectEvent((shows: Pick<ClientSettings, 'appName' | 'line' | 'mark' | 'contact'>) => {
    if (shows.mark !== shown.mark) showTabIcons(shows);
    change(shows);
  });
  useEffect(
    () => show({ appName: name, line: line || undefined, mark: mark || undefined, contact }),
    [name, line, mark, contact],
  );
}

function showTabIcons(settings: Pick<ClientSettings, 'mark'>): void {
  const [first, ...others] = document.querySelectorAll('link[rel=icon]');
  const icons = tabIcons(settings).map((icon) => {
    const link = document.createElement('link');
    for (const [name, value] of Object.entries({ rel: 'icon', ...icon })) link.setAttribute(name, value);
    return link;
  });
  others.forEach((other) => other.remove());
  first!.replaceWith(...icons);
}

interface AboutSettingsProps extends Pick<Keep, 'settings' | 'pictures'> {
  /** The name of the field that a link leads into. */
  focused: string | null;
}

export function AboutSettings({ settings, pictures, focused }: AboutSettingsProps) {
  useKeptPictures(settings, pictures);
  useOnEveryPage(settings);
  const shown = { ...settings, contact: shownContact(settings.contact) };
  return (
    <ul className={styles.settings}>
      {lines.map(({ key, ...line }) => (
        <Setting key={key} name={key} isTyped>
          <Field name={key} value={shown[key] ?? ''} takesFocus={key === focused} {...line} />
        </Setting>
      ))}
      <Setting name="mark" isTyped>
        <EmojiField
          name="mark"
          legend="Значок стены"
          value={settings.mark ?? ''}
          note="кирпичи"
          check={judgeMark}
          takesFocus={focused === 'mark'}
        />
      </Setting>
    </ul>
  );
}

export const PeopleSettings = ({ settings, invite_terms: terms }: Pick<Keep, 'settings' | 'invite_terms'>) => (
  <ul className={styles.settings}>
    <Setting name="registration">
      <Choices
        name="registration"
        legend="Кто может регистрироваться"
        choices={registrationModes}
        chosen={settings.registration}
      />
    </Setting>
    {inviteTerms.map(({ key, label, ...range }) => (
      <Setting key={key} name={key} isTyped className={styles.terms}>
        <Field
          name={key}
          label={label}
          value={String(terms[key])}
          inputMode="decimal"
          check={(typed) =>
            isWithin(typed.trim(), range) ? { isGood: true } : { isGood: false, error: rangeText(range) }
          }
        />
      </Setting>
    ))}
    <Setting name="readers">
      <Choices name="readers" legend="Кто читает стену" choices={readers} chosen={settings.readers} />
    </Setting>
  </ul>
);

export const OrderSettings = ({ settings }: Pick<Keep, 'settings'>) => (
  <ul className={styles.settings}>
    <Setting name="pace">
      <Choices
        name="pace"
        legend="Медленный режим: как часто отвечает один человек"
        choices={paces}
        chosen={String(settings.pace)}
      />
    </Setting>
    <Setting name="gate_posts">
      <Choices
        name="gate_posts"
        legend="Первые записи новичков"
        choices={gatePosts}
        chosen={String(settings.gate_posts)}
      />
    </Setting>
    <Setting name="gate_hours" className={styles.hours}>
      <Choices
        name="gate_hours"
        legend="Если никто не посмотрел, запись появится"
        choices={gateHours(settings.gate_hours)}
        chosen={String(settings.gate_hours)}
      />
    </Setting>
    <Setting name="report_letters">
      <Choices
        name="report_letters"
        legend="Если жалоба ждёт больше часа"
        choices={reportLetters}
        chosen={settings.report_letters === false ? 'off' : 'on'}
      />
    </Setting>
  </ul>
);

interface SettingProps {
  name: string;
  /** A refusal stands at its field. */
  isTyped?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

const Setting = ({ name, isTyped = false, className, children }: SettingProps) => (
  <li className={className}>
    <Form act="set" id={name} submit="Сохранить" {...(isTyped && { errorAt: name })}>
      {children}
    </Form>
  </li>
);
