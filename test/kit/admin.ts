import { carryOut, commands } from '../../server/commands/admin/commands.ts';
import { type CommandLine, readArguments } from '../../server/commands/admin/read-arguments.ts';
import { readConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/database.ts';
import { SECRET } from './server-process.ts';

/** Runs a command of `npm run admin` in this process, with the secret that the servers of tests use. Resolves to its output. */
export async function admin(db: Database, ...args: string[]): Promise<string> {
  const { output } = await carryOut(db, readConfig({ SECRET }), readArguments(args, commands) as CommandLine);
  return output;
}
