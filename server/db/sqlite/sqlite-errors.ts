import { AlreadyTaken, StorageUnavailable } from '../database.ts';

/** SQLite's primary result codes. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Extended result codes. */
const CORRUPT_VTAB = 267;
const CONSTRAINT_UNIQUE = 2_067;

const unavailable = new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN]);

/** The primary result code of a node:sqlite error; undefined for other errors. */
function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY;
/** A page of the file is damaged. Writes may increase the damage. */
export const isDamaged = (error: unknown): boolean =>
  [CORRUPT, NOTADB].includes(codeOf(error) ?? 0) && !isWrongIndex(error);
/** The search index does not contain the words that should be removed. It can be rebuilt. */
export const isWrongIndex = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === CORRUPT_VTAB;
export const isFull = (error: unknown): boolean => codeOf(error) === FULL;

/** Converts an error of node:sqlite into the errors common to both engines. */
export function asStorageError(error: unknown): unknown {
  if (isTaken(error)) return new AlreadyTaken('A value that must be unique is taken', { cause: error });
  return unavailable.has(codeOf(error) ?? 0)
    ? new StorageUnavailable('SQLite is locked, full or failing', { cause: error })
    : error;
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === CONSTRAINT_UNIQUE;
