import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandRun, errorOf, outputOf, runCommand } from './command-process.ts';
import { serverMajor } from '../../server/db/postgres/migrate-postgres.ts';
import { isInUse, refuseOlderTool, withClient } from '../../server/commands/backup/postgres-tools.ts';
import { type Engine, engines, type FreshStorage, freshStorage, type StorageSettings } from './engines.ts';
import { systemPostgres } from './postgres-binaries.ts';

type Command = 'backup' | 'restore' | 'check-copy' | 'nightly-copy';

export const program = 'server/commands/backup/main.ts';

/** Commands run with an otherwise empty environment and find the PostgreSQL tools through PATH. */
const settings = { PATH: process.env['PATH'] };

/** The message that a restore on PostgreSQL prints before it loads the data. */
export const asideNote = /^На время восстановления прежние данные отложены в схему (replaced_\w+)\.\n/;

async function run(
  storage: StorageSettings,
  args: readonly string[],
  other: NodeJS.ProcessEnv = {},
): Promise<CommandRun> {
  const { errors, ...rest } = await runCommand(program, storage, args, { ...settings, ...other });
  return { ...rest, errors: errors.replace(asideNote, '') };
}

/** Runs a backup or restore that must succeed; returns its output. */
export async function mustSucceed(storage: StorageSettings, ...args: [Command, ...string[]]): Promise<string> {
  return mustSucceedWith({}, storage, ...args);
}

export async function mustSucceedWith(
  other: NodeJS.ProcessEnv,
  storage: StorageSettings,
  ...args: [Command, ...string[]]
): Promise<string> {
  return outputOf(await run(storage, args, other), args);
}

/** Runs a backup or restore that must fail; returns the only line of its error. */
export async function mustFail(
  storage: StorageSettings,
  args: [Command, ...string[]],
  other: NodeJS.ProcessEnv = {},
): Promise<string> {
  return errorOf(await run(storage, args, other), args);
}

/** Runs a backup or restore that `killed-at.ts` kills before its first call that matches `before`. */
export async function mustBeKilled(
  storage: StorageSettings,
  args: readonly [Command, ...string[]],
  before: string,
): Promise<void> {
  const preload = `--import=${new URL('killed-at.ts', import.meta.url).href}`;
  const { code, output, errors } = await run(storage, args, { NODE_OPTIONS: preload, KILLED_AT: before });
  assert.deepEqual([code, output], [null, ''], errors);
  // PostgreSQL notices only after a moment that its client is gone.
  while (storage.databaseUrl && (await withClient(storage.databaseUrl, isInUse))) await sleep(20);
}

/** The reason why this machine cannot make backups of the engine; undefined if it can. */
export async function whyNotCopy(engine: Engine): Promise<string | undefined> {
  const { storage, remove } = await freshStorageToCopy(engine);
  try {
    return await cannotDump(storage);
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
export async function freshStorageToCopy(engine: Engine): Promise<FreshStorage> {
  if (engine === 'sqlite') return freshStorage(engine);
  return freshStorage(engine, await postgresToCopy());
}

/** The folder of the system’s PostgreSQL if its tools cannot dump the tests’ own, which is newer; otherwise undefined. */
export const postgresToCopy = (): Promise<string | undefined> => (system ??= systemIfOwnIsTooNew());

async function systemIfOwnIsTooNew(): Promise<string | undefined> {
  const { storage, remove } = await freshStorage('postgres');
  const lack = await cannotDump(storage);
  await remove();
  return lack === undefined ? undefined : systemPostgres();
}

async function cannotDump({ databaseUrl }: StorageSettings): Promise<string | undefined> {
  try {
    if (databaseUrl) await refuseOlderTool('pg_dump', await withClient(databaseUrl, serverMajor));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
