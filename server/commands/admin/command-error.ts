import { ConfigError } from '../../config-values.ts';
import { StorageUnavailable, StorageUnfit } from '../../db/database.ts';
import { line } from './terminal.ts';

/** A command cannot be run. The message is for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** One line for errors that the operator can fix; the stack trace for all others, which are bugs. */
export function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const isFixable = error instanceof ConfigError || error instanceof StorageUnfit;
  if (isFixable) return line(error.message);
  const isStorageError = error instanceof StorageUnavailable || 'code' in error;
  return isStorageError ? `База данных не отвечает: ${line(error.message)}` : (error.stack ?? error.message);
}
