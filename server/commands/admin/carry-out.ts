import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Notice } from '../../mail/notices.ts';
import { makeSecrets, storedSecret } from '../../secrets.ts';
import { readOperator, readReason } from './options.ts';
import type { CommandLine } from './read-arguments.ts';
import { terminalSafeJson } from './terminal.ts';

/** Runs a command; resolves to its output and whether its exit status is 1. */
export async function carryOut(
  db: Database,
  config: Config,
  { command, target, value, options }: CommandLine,
): Promise<{ output: string; failed: boolean }> {
  const now = Math.floor(Date.now() / 1_000);
  const act = () => ({ at: now, operator: readOperator(options), reason: readReason(options) });
  const seal = async (notice: Notice): Promise<string> => {
    const secrets = makeSecrets(config.secret ?? (await storedSecret(config.dataDir)));
    return secrets.seal(JSON.stringify(notice));
  };
  const { json, text, failed = false } = await command.run({ db, config, target, value, options, now, act, seal });
  return { output: options.json ? terminalSafeJson(json) : text, failed };
}
