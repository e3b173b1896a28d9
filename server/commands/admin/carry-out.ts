import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Notice } from '../../mail/notices.ts';
import { makeSecrets, storedSecret } from '../../secrets.ts';
import { readOperator, readReason } from './options.ts';
import type { CommandLine } from './read-arguments.ts';
import { terminalSafeJson } from './terminal.ts';

/** Runs a command; resolves to its output. */
export async function carryOut(
  db: Database,
  config: Config,
  { command, target, value, options }: CommandLine,
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const act = () => ({ at: now, operator: readOperator(options), reason: readReason(options) });
  const seal = async (notice: Notice): Promise<string> => {
    const secrets = makeSecrets(config.secret ?? (await storedSecret(config.dataDir)));
    return secrets.seal(JSON.stringify(notice));
  };
  const { json, text } = await command.run({ db, target, value, options, now, act, seal });
  return options.json ? terminalSafeJson(json) : text;
}
