import { runImport } from '../../server/commands/import/run-import.ts';
import type { CommandRun } from './command-process.ts';
import type { Place } from './engines.ts';
import { settingsOf } from './server-process.ts';

/** Runs `npm run import` in this process. */
export async function importInProcess(place: Place, args: string[]): Promise<CommandRun> {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await runImport(args, settingsOf(place), {
    print: (text) => output.push(`${text}\n`),
    complain: (text) => errors.push(`${text}\n`),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}
