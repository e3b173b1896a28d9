import assert from 'node:assert/strict';
import { runCommand } from './command-process.ts';
import { refuseOlderTool } from '../server/backup/postgres-tools.ts';
import { serverMajor, withClient } from '../server/backup/postgres-server.ts';
import { type Engine, type FreshPlace, freshPlace, type Place } from './engines.ts';
import { systemPostgres } from './postgres-binaries.ts';

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

/** Why no copies can be made here, in words. */
export async function cannotCopy(engine: Engine): Promise<string | undefined> {
  const { place, remove } = await freshPlaceToCopy(engine);
  try {
    return await cannotDump(place);
  } finally {
    await remove();
  }
}

let system: Promise<string | undefined> | undefined;

/** A fresh place that the programs of this system can copy: where the tests' own PostgreSQL is newer, on the system's. */
export async function freshPlaceToCopy(engine: Engine): Promise<FreshPlace> {
  if (engine === 'sqlite') return freshPlace(engine);
  system ??= systemUnlessOwnWillDo();
  return freshPlace(engine, await system);
}

async function systemUnlessOwnWillDo(): Promise<string | undefined> {
  const { place, remove } = await freshPlace('postgres');
  const lack = await cannotDump(place);
  await remove();
  return lack === undefined ? undefined : systemPostgres();
}

async function cannotDump({ databaseUrl }: Place): Promise<string | undefined> {
  try {
    if (databaseUrl) await refuseOlderTool('pg_dump', await withClient(databaseUrl, serverMajor));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
