import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Config } from '../../config.ts';
import { inSnapshot } from '../../db/open-database.ts';
import type { Schema } from '../../db/schema.ts';
import { type CopyCheck, lastBackup } from '../../ops/backups.ts';
import { CommandError, toLine } from '../admin/terminal.ts';
import { openWall } from '../admin/open-wall.ts';
import { recount } from '../verify-data/recount.ts';
import type { Counts } from './kept-copies.ts';
import { restorePostgres } from './postgres-restore.ts';
import { withClient } from './postgres-tools.ts';
import { restoreSqlite } from './sqlite-restore.ts';

/** The copy may lack a post that was being written when the copy was begun. */
const graceSeconds = 60;

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** Restores the last copy into a temporary place, recounts it and compares it with the running wall. */
export async function checkCopy(config: Config, file: string): Promise<Counts & Pick<CopyCheck, 'differences'>> {
  const inPlace = config.databaseUrl ? inDatabase : inFolder;
  return inPlace(config, file, async (place) => {
    // Brings the tables of a copy from before an upgrade up to date.
    await (await openWall({ ...config, ...place })).close();
    const begunAt = await inSnapshot(config, lastBackup);
    const rows = (of: Place) => inSnapshot(of, (read) => countRows(read, begunAt - graceSeconds));
    const [copied, present] = [await rows(place), await rows(config)];
    const lacking = comparedTables.reduce((sum, table) => sum + Math.max(0, present[table] - copied[table]), 0);
    // Rows that were deleted since are only in the copy, and may hide in the counts that the last post lacks.
    const lacksLast = lacking === 0 && present.lastPost > copied.lastPost ? 1 : 0;
    const differences = (await inSnapshot(place, countDifferences)) + lacking + lacksLast;
    return { users: copied.users, posts: copied.posts, differences };
  });
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

async function countDifferences(read: Kysely<Schema>): Promise<number> {
  let found = 0;
  for await (const _ of recount(read)) found += 1;
  return found;
}

type InPlace = <T>(place: Place, file: string, work: (place: Place) => Promise<T>) => Promise<T>;

/** A killed check leaves its place to one that begins this much later. Until then somebody may be at work in it. */
const leftAfterSeconds = 12 * 3_600;

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Whether a place is left, by the time in its name. */
function isLeft(name: string): boolean {
  const [, begunAt] = /(?:\.check-|^stena_check_)(\d{10})[-_]\w+$/.exec(name) ?? [];
  return begunAt !== undefined && Number(begunAt) < nowSeconds() - leftAfterSeconds;
}

/** Removes what killed checks have left, and says so. A check does not fail because that fails. */
async function removeLeft(names: readonly string[], remove: (name: string) => Promise<unknown>): Promise<void> {
  for (const name of names.filter(isLeft)) {
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

/** A folder beside the copy, whose disk has room for it. */
const inFolder: InPlace = async ({ databaseUrl }, file, work) => {
  const besides = dirname(file);
  await removeLeft(await readdir(besides), (name) => rm(join(besides, name), { recursive: true, force: true }));
  const folder = await mkdtemp(`${file}.check-${nowSeconds()}-`);
  try {
    await restoreSqlite(folder, file, false);
    return await work({ databaseUrl, dataDir: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** A database of the same server. */
const inDatabase: InPlace = async ({ databaseUrl, dataDir }, file, work) => {
  const run = (statement: string) => withClient(databaseUrl!, (client) => client.query<{ datname: string }>(statement));
  const { rows } = await run(
    `select datname from pg_database where datname like 'stena\\_check\\_%' and pg_get_userbyid(datdba) = current_user`,
  );
  await removeLeft(
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
