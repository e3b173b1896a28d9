import {
  gatePostsMax,
  normalizeContact,
  normalizeWallLine,
  normalizeWallMark,
  normalizeWallName,
} from '#contract/wall-setting-rules.ts';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { wallPaces, wallPaceText } from '#contract/reply-rules.ts';
import { type FormFields, shownContact } from '#contract/page-data.ts';
import type { ProfileLine } from '#contract/profile-text.ts';
import { emojiIn } from '../../forms/emoji-field.tsx';
import { formProblem, type PageContext } from '../../forms/page-module.ts';

export const registrationModes = [
  { id: 'open', name: 'Каждый, у кого есть почта', short: 'Приходят все' },
  { id: 'members', name: 'По приглашениям участников', short: 'Приходят по ссылке' },
  { id: 'invite', name: 'По приглашениям тех, кто ведёт стену', short: 'Зовут те, кто ведёт стену' },
  { id: 'closed', name: 'Никто', short: 'Новых людей не пускают' },
] as const;

export const readers = [
  { id: 'everyone', name: 'Все' },
  { id: 'members', name: 'Участники: без входа видны только вход и тексты о стене' },
] as const;

/** Who may register and who may read, as one choice. */
export const whoComes = [
  { id: 'all', name: 'Все: каждый читает и может писать', sets: { registration: 'open', readers: 'everyone' } },
  {
    id: 'link',
    name: 'По ссылке: читают все, пишут те, кого позвали',
    sets: { registration: 'members', readers: 'everyone' },
  },
  {
    id: 'closed',
    name: 'Закрыта: читают и пишут только те, кого позвали',
    sets: { registration: 'members', readers: 'members' },
  },
] as const;

/** Who comes to the wall, in a few words: whether only members read it, otherwise who may register. */
export const whoWords = (settings: Pick<WallAdmin['settings'], 'registration' | 'readers'>): string =>
  settings.readers === 'members'
    ? 'Читают только участники'
    : registrationModes.find(({ id }) => id === settings.registration)!.short;

/** The one of the three choices that is nearest to the settings. */
const whoOf = ({ registration, readers: who }: WallAdmin['settings']): string =>
  who === 'members' ? 'closed' : registration === 'open' ? 'all' : 'link';

export const paces = wallPaces.map((seconds) => ({ id: String(seconds), seconds, name: wallPaceText(seconds) }));

export const reportLetters = [
  { id: 'on', name: 'Написать всем, кто ведёт стену' },
  { id: 'off', name: 'Не писать' },
] as const;

/** For a closed wall. */
export const letterTexts = [
  { id: 'on', name: 'С текстом: его прочтёт и тот, кто видит чужую почту' },
  { id: 'off', name: 'Без текста: только кто написал и ссылка' },
] as const;

/** For an open wall. */
export const carryOthers = [
  { id: 'on', name: 'С обсуждениями вокруг них' },
  { id: 'off', name: 'Без чужих записей' },
] as const;

export const carryLetters = [
  { id: 'off', name: 'Не присылать' },
  { id: 'on', name: 'Присылать тем, кто попросит' },
] as const;

export const gatePosts = Array.from({ length: gatePostsMax + 1 }, (_, count) => ({
  id: String(count),
  count,
  name: ['Появляются сразу', 'Первая ждёт проверки'][count] ?? `Первые ${count} ждут проверки`,
  short:
    ['Записи появляются сразу', 'Первая запись новичка ждёт проверки'][count] ??
    `Первые записи новичка ждут проверки: ${count}`,
}));

interface Range {
  least: number;
  most: number;
}

/** The conditions under which members may invite. */
export const inviteTerms = [
  { key: 'invite_days', label: 'Через сколько дней участник приглашает', least: 0, most: 365 },
  { key: 'invite_posts', label: 'Сколько записей у него должно быть', least: 0, most: 1_000 },
  { key: 'invite_links', label: 'Сколько ссылок он делает за 30 дней', least: 1, most: 100 },
] as const;

export const isWithin = (typed: string, { least, most }: Range): boolean =>
  /^\d{1,4}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= most;

export const rangeText = ({ least, most }: Range): string => `От ${least} до ${most}`;

/** The settings as the fields of the forms show them. */
export const valuesOf = (settings: WallAdmin['settings'], terms: WallAdmin['invite_terms']): FormFields => ({
  name: settings.name,
  line: settings.line,
  mark: settings.mark ?? '',
  contact: shownContact(settings.contact),
  who: whoOf(settings),
  registration: settings.registration,
  readers: settings.readers,
  pace: String(settings.pace),
  gate_posts: String(settings.gate_posts),
  gate_hours: String(settings.gate_hours),
  report_letters: settings.report_letters === false ? 'off' : 'on',
  letter_texts: settings.letter_texts === true ? 'on' : 'off',
  carry_others: settings.carry_others === false ? 'off' : 'on',
  carry_letters: settings.carry_letters === true ? 'on' : 'off',
  ...Object.fromEntries(inviteTerms.map(({ key }) => [key, String(terms[key])])),
});

type Change = Partial<WallAdmin['settings']> & { invite_terms?: Partial<WallAdmin['invite_terms']> };

function choiceIn<Choice extends { id: string }>(choices: readonly Choice[], id: string): Choice {
  const found = choices.find((choice) => choice.id === id);
  if (!found) throw formProblem('Выберите один из ответов.');
  return found;
}

/** Makes the change of a line. An invalid line is refused with an error at its field. */
const line =
  (key: 'name' | 'line' | 'mark' | 'contact', normalize: (typed: string) => ProfileLine) =>
  (typed: string): Change => {
    const normal = normalize(typed);
    if (!normal.ok) throw formProblem(normal.reason, key);
    return { [key]: normal.text ?? '' };
  };

/** The change that is sent for the value of each field. */
const changes: Readonly<Record<string, (typed: string) => Change>> = {
  name: line('name', normalizeWallName),
  line: line('line', normalizeWallLine),
  mark: line('mark', normalizeWallMark),
  contact: line('contact', normalizeContact),
  who: (typed) => choiceIn(whoComes, typed).sets,
  registration: (typed) => ({ registration: choiceIn(registrationModes, typed).id }),
  readers: (typed) => ({ readers: choiceIn(readers, typed).id }),
  pace: (typed) => ({ pace: choiceIn(paces, typed).seconds }),
  gate_posts: (typed) => ({ gate_posts: choiceIn(gatePosts, typed).count }),
  gate_hours: (typed) => ({ gate_hours: Number(typed) }),
  report_letters: (typed) => ({ report_letters: choiceIn(reportLetters, typed).id === 'on' }),
  letter_texts: (typed) => ({ letter_texts: choiceIn(letterTexts, typed).id === 'on' }),
  carry_others: (typed) => ({ carry_others: choiceIn(carryOthers, typed).id === 'on' }),
  carry_letters: (typed) => ({ carry_letters: choiceIn(carryLetters, typed).id === 'on' }),
  ...Object.fromEntries(
    inviteTerms.map(({ key, ...range }) => [
      key,
      (typed: string) => {
        if (!isWithin(typed, range)) throw formProblem(rangeText(range), key);
        return { invite_terms: { [key]: Number(typed) } };
      },
    ]),
  ),
};

/** The name of the field with the values that the page was made with. */
export const shownField = 'shown';

function shownIn(fields: FormFields): FormFields {
  try {
    return Object(JSON.parse(fields[shownField] ?? '{}'));
  } catch {
    return {};
  }
}

/** Saves what was changed on the page. Settings that somebody else has changed since the page was made stay. */
export async function saveSettings({ call }: Pick<PageContext, 'call'>, fields: FormFields): Promise<void> {
  const shown = shownIn(fields);
  const body: Change = {};
  for (const [key, change] of Object.entries(changes)) {
    const typed = key === 'mark' && key in fields ? emojiIn(fields, key) : fields[key];
    if (typed === undefined || typed === shown[key]) continue;
    const { invite_terms: terms, ...changed } = change(typed);
    Object.assign(body, changed, terms && { invite_terms: { ...body.invite_terms, ...terms } });
  }
  await call('PUT /keep/settings', { body });
}
