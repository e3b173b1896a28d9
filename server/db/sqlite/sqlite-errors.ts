import { StorageUnavailable } from '../database.ts';

/** SQLite's primary result codes. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

const outOfReach = new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN]);

/** The primary result code of an error of node:sqlite, if it is one. */
function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;
export const isFull = (error: unknown): boolean => codeOf(error) === FULL;

/** The error as callers of the engine know it. */
export function asUnavailable(error: unknown): unknown {
  return outOfReach.has(codeOf(error) ?? 0)
    ? new StorageUnavailable('SQLite is locked, full or failing', { cause: error })
    : error;
}
