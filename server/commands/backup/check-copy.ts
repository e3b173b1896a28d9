import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Config } from '../../config.ts';
import { inSnapshot } from '../../db/open-database.ts';
import type { Schema } from '../../db/schema.ts';
import { type CopyCheck, lastBackup } from '../../ops/backups.ts';
import { CommandError, explain, toLine } from '../admin/terminal.ts';
import { openWall } from '../admin/open-wall.ts';
import { recount } from '../verify-data/recount.ts';
import { checksumFile } from './checksummed-file.ts';
import type { Counts } from './retained-copies.ts';
import { restorePostgres } from './postgres-restore.ts';
import { withClient } from './postgres-tools.ts';
import { restoreSqlite } from './sqlite-restore.ts';

/** Rows of this time before the copy was begun are not compared: the copy may lack posts that were being written then. */
const graceSeconds = 60;

type Location = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** Restores the last copy into a temporary location, recounts it and compares it with the running wall. */
export async function checkCopy(config: Config, file: string): Promise<Counts & Pick<CopyCheck, 'differences'>> {
  const atLocation = config.databaseUrl ? inDatabase : inFolder;
  return atLocation(config, file, async (location) => {
    const differences = await countDifferences(config, location);
    const begunAt = await inSnapshot(config, lastBackup);
    const rows = (of: Location) => inSnapshot(of, (read) => countRows(read, begunAt - graceSeconds));
    const [copied, present] = [await rows(location), await rows(config)];
    const lacking = comparedTables.reduce((sum, table) => sum + Math.max(0, present[table] - copied[table]), 0);
    // A row deleted since the copy is only in the copy and can offset a missing row in the counts. So the last post is compared too.
    const lacksLast = lacking === 0 && present.lastPost > copied.lastPost ? 1 : 0;
    const { users, posts } = await inSnapshot(location, (read) => countRows(read, Number.MAX_SAFE_INTEGER));
    return { users, posts, differences: differences + lacking + lacksLast };
  });
}

const unchecked = (file: string, why: string): CommandError =>
  new CommandError(
    `${why} Её контрольной суммы нет (${toLine(checksumFile(file))}), поэтому копия проверялась целиком. Возьмите другую или восстановите эту как есть: ./stena restore ФАЙЛ --without-check`,
  );

/** Refuses a copy that cannot be restored, or whose rows contradict each other. It takes as long as a check of a nightly copy. */
export async function refuseUnsound(config: Config, file: string): Promise<void> {
  const atLocation = config.databaseUrl ? inDatabase : inFolder;
  const differences = await atLocation(config, file, (location) => countDifferences(config, location)).catch(
    (error: unknown) => Promise.reject(error instanceof CommandError ? error : unchecked(file, explain(error))),
  );
  if (differences > 0) throw unchecked(file, `Копия повреждена, расхождений в ней: ${differences}.`);
}

const comparedTables = ['users', 'posts', 'likes'] as const;

type Rows = Record<(typeof comparedTables)[number] | 'lastPost', number>;

async function countRows(read: Kysely<Schema>, before: number): Promise<Rows> {
  const of = async (table: (typeof comparedTables)[number]) =>
    read
      .selectFrom(table)
      .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.max<number | null>('id').as('last')])
      .where('created_at', '<', before)
      .executeTakeFirstOrThrow();
  const [users, posts, likes] = [await of('users'), await of('posts'), await of('likes')];
  return { users: users.n, posts: posts.n, likes: likes.n, lastPost: posts.last ?? 0 };
}

async function countDifferences(config: Config, location: Location): Promise<number> {
  // Opening the wall migrates a copy that was made before an upgrade.
  await (await openWall({ ...config, ...location })).close();
  return inSnapshot(location, async (read) => (await Array.fromAsync(recount(read))).length);
}

type AtLocation = <T>(location: Location, file: string, work: (location: Location) => Promise<T>) => Promise<T>;

/** The folder or database of a killed check is removed after this time. Until then the check may still be running. */
const leftoverAfterSeconds = 12 * 3_600;

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Whether a folder or database was left by a killed check, by the time in its name. */
function isLeftover(name: string): boolean {
  const [, begunAt] = /(?:\.check-|^stena_check_)(\d{10})[-_]\w+$/.exec(name) ?? [];
  return begunAt !== undefined && Number(begunAt) < nowSeconds() - leftoverAfterSeconds;
}

/** Removes folders or databases of killed checks and prints their names. A failure to remove does not fail the check. */
async function removeLeftovers(names: readonly string[], remove: (name: string) => Promise<unknown>): Promise<void> {
  for (const name of names.filter(isLeftover)) {
    try {
      await remove(name);
      console.log(`Удалено то, что оставила прерванная проверка: ${toLine(name)}`);
    } catch (error) {
      console.error(
        `Прерванная проверка оставила ${toLine(name)}, удалить не удалось: ${toLine((error as Error).message)}`,
      );
    }
  }
}

/** Restores into a folder beside the copy, where the disk has room. */
const inFolder: AtLocation = async ({ databaseUrl }, file, work) => {
  const besides = dirname(file);
  await removeLeftovers(await readdir(besides), (name) => rm(join(besides, name), { recursive: true, force: true }));
  const folder = await mkdtemp(`${file}.check-${nowSeconds()}-`);
  try {
    await restoreSqlite(folder, file, false);
    return await work({ databaseUrl, dataDir: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Restores into another database of the same server. */
const inDatabase: AtLocation = async ({ databaseUrl, dataDir }, file, work) => {
  const run = (statement: string) => withClient(databaseUrl!, (client) => client.query<{ datname: string }>(statement));
  const { rows } = await run(
    `select datname from pg_database where datname like 'stena\\_check\\_%' and pg_get_userbyid(datdba) = current_user`,
  );
  await removeLeftovers(
    rows.map(({ datname }) => datname),
    (name) => run(`drop database if exists ${name} with (force)`),
  );
  const name = `stena_check_${nowSeconds()}_${randomBytes(6).toString('hex')}`;
  await run(`create database ${name}`).catch((error: Error) => {
    throw new CommandError(
      `Базу для проверки создать нельзя: ${toLine(error.message)}. Разрешите это роли стены: alter role ИМЯ createdb.`,
    );
  });
  try {
    const url = new URL(databaseUrl!);
    url.pathname = name;
    await restorePostgres(url.href, file, false);
    return await work({ databaseUrl: url.href, dataDir });
  } finally {
    await run(`drop database ${name} with (force)`);
  }
};
