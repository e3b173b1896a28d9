import { userInfo } from 'node:os';
import { normalizePostText } from '#contract/text.ts';
import { CommandError, toLine } from './terminal.ts';

export const options = {
  reason: { type: 'string', value: '"…"', summary: 'почему; обязательно для всего, что меняет стену' },
  as: { type: 'string', value: 'ИМЯ', summary: 'кто это делает (иначе имя пользователя системы)' },
  limit: { type: 'string', value: 'N', summary: 'не больше стольких' },
  until: {
    type: 'string',
    value: 'ДАТА',
    summary: 'до какого времени: 2026-12-31 (весь этот день) или 2026-12-31T18:00',
  },
  owner: { type: 'boolean', summary: 'владельцем стены, а не модератором' },
  'remove-posts': { type: 'boolean', summary: 'убрать со стены и всё написанное' },
  'restore-posts': { type: 'boolean', summary: 'вернуть на стену то, что убрала эта блокировка' },
  json: { type: 'boolean', summary: 'вывод для программ; время в секундах Unix' },
} as const satisfies Record<string, { type: 'string' | 'boolean'; value?: string; summary: string }>;

export type OptionName = keyof typeof options;

export type Options = {
  [Name in OptionName]?: (typeof options)[Name]['type'] extends 'string' ? string : true;
};

/** The options of every command that changes something. */
export const acting = ['reason', 'as'] as const satisfies OptionName[];

const maxNumber = 1_000;
const maxNameLength = 64;

export function readNumber(given: Options, name: 'limit', fallback: number): number {
  const value = given[name];
  if (value === undefined) return fallback;
  if (!/^[1-9]\d{0,3}$/.test(value) || Number(value) > maxNumber) {
    throw new CommandError(`--${name}: нужно целое число от 1 до ${maxNumber}, а не «${toLine(value)}».`);
  }
  return Number(value);
}

const day = /^\d{4}-\d\d-\d\d$/;
const minute = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The time of `--until` in unix seconds, in the time zone of the machine; a day ends at midnight. Null without the option. */
export function readUntil({ until }: Options): number | null {
  if (until === undefined) return null;
  const isDay = day.test(until);
  const time = isDay || minute.test(until) ? new Date(isDay ? `${until}T00:00` : until) : new Date(Number.NaN);
  if (isDay) time.setDate(time.getDate() + 1);
  const at = time.getTime() / 1_000;
  if (Number.isNaN(at)) throw new CommandError(`--until: нужна дата, например 2026-12-31, а не «${toLine(until)}».`);
  return at;
}

export function readReason({ reason }: Options): string {
  if (reason === undefined)
    throw new CommandError('Укажите причину: --reason "…". Она останется в журнале; кого заблокировали, её увидит.');
  const read = normalizePostText(reason);
  if (!read.ok) throw new CommandError('Причина (--reason) должна быть от 1 до 500 символов, без недопустимых знаков.');
  return read.text;
}

/** The name given with `--as`, or the system user. */
export function readOperator({ as = systemUser() }: Options): string {
  const name = toLine(as.trim());
  if (name === '' || name.length > maxNameLength)
    throw new CommandError(`--as: нужно имя до ${maxNameLength} символов.`);
  return name;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `uid ${process.getuid?.()}`;
  }
}
