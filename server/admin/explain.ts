import { ConfigError } from '../config.ts';
import { StorageUnavailable, StorageUnfit } from '../db/database.ts';
import { Refusal } from './refusal.ts';
import { line } from './terminal.ts';

/** One clear line for what the operator can mend; anything else is a fault of ours and shows where. */
export function explain(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return String(error);
  const ofSettings = error instanceof ConfigError || error instanceof StorageUnfit;
  if (ofSettings) return line(error.message);
  const ofStorage = error instanceof StorageUnavailable || 'code' in error;
  return ofStorage ? `База данных не отвечает: ${line(error.message)}` : (error.stack ?? error.message);
}
