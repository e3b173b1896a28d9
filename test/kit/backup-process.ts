import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandRun, errorOf, outputOf, runCommand } from './command-process.ts';
import { serverMajor } from '../../server/db/postgres/migrate-postgres.ts';
import { isInUse, refuseOlderTool, withClient } from '../../server/commands/backup/postgres-tools.ts';
import { type Engine, engines, type FreshPlace, freshPlace, type Place } from './engines.ts';
import { systemPostgres } from './postgres-binaries.ts';

type Command = 'backup' | 'restore' | 'check-copy' | 'nightly-copy';

export const program = 'server/commands/backup/main.ts';

/** Commands run with an otherwise empty environment and find the PostgreSQL tools through PATH. */
const settings = { PATH: process.env['PATH'] };

/** The message that a restore on PostgreSQL prints before it loads the data. */
export const asideNote = /^На время восстановления прежние данные отложены в схему (replaced_\w+)\.\n/;

async function run(place: Place, args: readonly string[], other: NodeJS.ProcessEnv = {}): Promise<CommandRun> {
  const { errors, ...rest } = await runCommand(program, place, args, { ...settings, ...other });
  return { ...rest, errors: errors.replace(asideNote, '') };
}

/** Runs a backup or restore that must succeed; returns its output. */
export async function mustSucceed(place: Place, ...args: [Command, ...string[]]): Promise<string> {
  return mustSucceedWith({}, place, ...args);
}

export async function mustSucceedWith(
  other: NodeJS.ProcessEnv,
  place: Place,
  ...args: [Command, ...string[]]
): Promise<string> {
  return outputOf(await run(place, args, other), args);
}

/** Runs a backup or restore that must fail; returns the only line of its error. */
export async function mustFail(
  place: Place,
  args: [Command, ...string[]],
  other: NodeJS.ProcessEnv = {},
): Promise<string> {
  return errorOf(await run(place, args, other), args);
}

/** Runs a backup or restore that `killed-at.ts` kills before its first call that matches `before`. */
export async function mustBeKilled(place: Place, args: readonly [Command, ...string[]], before: string): Promise<void> {
  const preload = `--import=${new URL('killed-at.ts', import.meta.url).href}`;
  const { code, output, errors } = await run(place, args, { NODE_OPTIONS: preload, KILLED_AT: before });
  assert.deepEqual([code, output], [null, ''], errors);
  // PostgreSQL notices only after a moment that its client is gone.
  while (place.databaseUrl && (await withClient(place.databaseUrl, isInUse))) await sleep(20);
}

/** The reason why this machine cannot make backups of the engine; undefined if it can. */
export async function whyNotCopy(engine: Engine): Promise<string | undefined> {
  const { place, remove } = await freshPlaceToCopy(engine);
  try {
    return await cannotDump(place);
  } finally {
    await remove();
  }
}

/** The engines whose databases this machine can back up. */
export async function enginesToCopy(): Promise<readonly Engine[]> {
  const lack = await whyNotCopy('postgres');
  if (lack === undefined) return engines;
  process.stderr.write(`Skipping the backup tests on PostgreSQL: ${lack}\n`);
  return ['sqlite'];
}

let system: Promise<string | undefined> | undefined;

/** A new database that the tools of this system can dump. It is on the system’s PostgreSQL if the tests’ own is newer than the tools. */
export async function freshPlaceToCopy(engine: Engine): Promise<FreshPlace> {
  if (engine === 'sqlite') return freshPlace(engine);
  return freshPlace(engine, await postgresToCopy());
}

/** The folder of the system’s PostgreSQL if its tools cannot dump the tests’ own, which is newer; otherwise undefined. */
export const postgresToCopy = (): Promise<string | undefined> => (system ??= systemIfOwnIsTooNew());

async function systemIfOwnIsTooNew(): Promise<string | undefined> {
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
