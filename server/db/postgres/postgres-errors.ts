import pg from 'pg';
import { AlreadyTaken, StorageUnavailable } from '../database.ts';
import { type SentQuery, whyStopped } from './lock-watch.ts';

/** SQLSTATEs of transactions that conflicted with another transaction and can be repeated. */
const lost = new Set(['40001', '40P01']);

/** SQLSTATEs of a server that is unreachable, full, starting, stopping, failing or a standby, or lacks the role or the database. */
const unavailable = /^(08|28|3D|53|57|58|25006$)/;
const networkCodes = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Errors of node-postgres without a code. */
const uncoded = /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|.* is not queryable$)/;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const shouldRepeat = (error: unknown): boolean => lost.has(codeOf(error) ?? '');

function isOutOfReach(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return unavailable.test(code) || networkCodes.has(code);
  return error instanceof Error && uncoded.test(error.message);
}

const uniqueViolation = '23505';
const queryStopped = '57014';

/** Converts an error of PostgreSQL into the errors common to both engines. */
export function asStorageError(error: unknown, query?: SentQuery): unknown {
  // `detail` quotes the row with its e-mail address, and errors are logged.
  if (error instanceof pg.DatabaseError) error.detail = undefined;
  if (codeOf(error) === uniqueViolation) {
    return new AlreadyTaken('A value that must be unique is taken', { cause: error });
  }
  if (query && codeOf(error) === queryStopped) return new StorageUnavailable(whyStopped(query), { cause: error });
  return isOutOfReach(error) ? new StorageUnavailable('PostgreSQL is out of reach', { cause: error }) : error;
}
