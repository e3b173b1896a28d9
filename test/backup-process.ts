import assert from 'node:assert/strict';
import { runCommand } from './command-process.ts';
import type { Place } from './engines.ts';

type Command = 'backup' | 'restore';

/** The programs of PostgreSQL are looked for where ours would be. */
const settings = { PATH: process.env['PATH'] };

/** What a backup or restore prints when it succeeds. */
export async function done(place: Place, command: Command, ...args: string[]): Promise<string> {
  const { code, output, errors } = await runCommand('backup/main.ts', place, [command, ...args], settings);
  assert.deepEqual([code, errors], [0, ''], [command, ...args].join(' '));
  return output;
}

/** The one line that refuses it. */
export async function refused(
  place: Place,
  [command, ...args]: [Command, ...string[]],
  other: NodeJS.ProcessEnv = {},
): Promise<string> {
  const run = await runCommand('backup/main.ts', place, [command, ...args], { ...settings, ...other });
  assert.deepEqual([run.code, run.output], [1, ''], [command, ...args].join(' '));
  assert.match(run.errors, /^[^\n]+\n$/);
  return run.errors;
}
