import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Notice } from '../mail/notices.ts';
import { keptSecret, makeSecrets } from '../secrets.ts';
import { readOperator, readReason } from './options.ts';
import type { Given } from './read-arguments.ts';
import { harmlessJson } from './terminal.ts';

/** Does what was asked; resolves to what is to be said of it. */
export async function carryOut(
  db: Database,
  config: Config,
  { command, target, value, options }: Given,
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const act = () => ({ at: now, operator: readOperator(options), reason: readReason(options) });
  const seal = async (notice: Notice): Promise<string> => {
    const secrets = makeSecrets(config.secret ?? (await keptSecret(config.dataDir)));
    return secrets.seal(JSON.stringify(notice));
  };
  const { json, text } = await command.run({ db, target, value, options, now, act, seal });
  return options.json ? harmlessJson(json) : text;
}
