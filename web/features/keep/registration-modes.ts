import type { Keep } from '#contract/keep.ts';

export const registrationModes = [
  { id: 'open', name: 'Каждый, у кого есть почта' },
  { id: 'members', name: 'По приглашениям участников' },
  { id: 'invite', name: 'По приглашениям тех, кто ведёт стену' },
  { id: 'closed', name: 'Никто' },
] as const;

export const readers = [
  { id: 'everyone', name: 'Все' },
  { id: 'members', name: 'Участники: без входа видны только вход и тексты о стене' },
] as const;
type Mode = (typeof registrationModes)[number]['id'];

export const modeOf = (id: string | undefined): Mode => registrationModes.find((mode) => mode.id === id)?.id ?? 'open';

/** When members may invite, in the order of the form. */
export const inviteTermNames = [
  { key: 'invite_days', name: 'Через сколько дней участник приглашает', least: 0, most: 365 },
  { key: 'invite_posts', name: 'Сколько записей у него должно быть', least: 0, most: 1_000 },
  { key: 'invite_links', name: 'Сколько ссылок он делает за 30 дней', least: 1, most: 100 },
] as const;

export function termsOf([days, posts, links]: readonly string[]): Keep['invite_terms'] {
  return { invite_days: Number(days), invite_posts: Number(posts), invite_links: Number(links) };
}

/** Whether a number of the form is in its range, by its place. */
export function isTerm(typed: string, at: number): boolean {
  const { least, most } = inviteTermNames[at]!;
  return /^\d{1,4}$/.test(typed) && Number(typed) >= least && Number(typed) <= most;
}

export const rangeOf = ({ least, most }: { least: number; most: number }): string => `От ${least} до ${most}`;

export const termRanges = inviteTermNames.map((term) => `${term.name}: ${rangeOf(term).toLowerCase()}.`).join(' ');

export const reportLetterChoices = [
  { id: 'on', name: 'Написать всем, кто ведёт стену' },
  { id: 'off', name: 'Не писать' },
] as const;
