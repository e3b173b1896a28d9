import type { Database } from '../db/database.ts';
import { readOperator, readReason } from './options.ts';
import type { Given } from './read-arguments.ts';
import { harmlessJson } from './terminal.ts';

/** Does what was asked; resolves to what is to be said of it. */
export async function carryOut(db: Database, { command, target, options }: Given): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const act = () => ({ at: now, operator: readOperator(options), reason: readReason(options) });
  const { json, text } = await command.run({ db, target, options, now, act });
  return options.json ? harmlessJson(json) : text;
}
