import { ConfigError } from '../../config.ts';
import { StorageUnavailable, StorageUnfit } from '../../db/database.ts';

/**
 * Control characters, bidi marks and line separators, which could move the cursor of a terminal or reorder its text.
 */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** Untrusted text on one line, without characters that a terminal interprets. */
export const toLine = (text: string): string => text.replaceAll('\n', ' ⏎ ').replace(unsafe, escaped);

/** JSON without characters that a terminal interprets. */
export const terminalSafeJson = (value: object): string => JSON.stringify(value).replace(unsafe, escaped);

const moment = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'short', timeStyle: 'short' });

export const localTime = (seconds: number): string => moment.format(seconds * 1_000);

/** Pads each column to its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)),
    [],
  );
  const last = widths.length - 1;
  return rows.map((row) => row.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i]!))).join('  ')).join('\n');
}

/** A command cannot be run. The message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** One line for errors that the operator can fix; the stack trace for all others, which are bugs. */
export function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const isFixable = error instanceof ConfigError || error instanceof StorageUnfit;
  if (isFixable) return toLine(error.message);
  const isStorageError = error instanceof StorageUnavailable || 'code' in error;
  return isStorageError ? `База данных не отвечает: ${toLine(error.message)}` : (error.stack ?? error.message);
}
