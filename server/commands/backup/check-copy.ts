import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import type { Config } from '../../config.ts';
import { inSnapshot } from '../../db/open-database.ts';
import type { Schema } from '../../db/schema.ts';
import { type CopyCheck, lastBackup } from '../../ops/backups.ts';
import { CommandError, line } from '../admin/terminal.ts';
import { openWall } from '../admin/open-wall.ts';
import { recount } from '../verify-data/recount.ts';
import { restorePostgres } from './postgres-restore.ts';
import { withClient } from './postgres-tools.ts';
import { restoreSqlite } from './sqlite-restore.ts';

/** The copy may lack a post that was being written when the copy was begun. */
const graceSeconds = 60;

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** Restores the last copy into a temporary place, recounts it and compares it with the running wall. */
export async function checkCopy(config: Config, file: string): Promise<Pick<CopyCheck, 'posts' | 'differences'>> {
  return inTemporaryPlace(config, file, async (place) => {
    // Brings the tables of a copy from before an upgrade up to date.
    await (await openWall({ ...config, ...place })).close();
    const begunAt = await inSnapshot(config, lastBackup);
    const rows = (of: Place) => inSnapshot(of, (read) => countRows(read, begunAt - graceSeconds));
    const [copied, present] = [await rows(place), await rows(config)];
    const lacking = comparedTables.reduce((sum, table) => sum + Math.max(0, present[table] - copied[table]), 0);
    // Rows that were deleted since are only in the copy, and may hide in the counts that the last post lacks.
    const lacksLast = lacking === 0 && present.lastPost > copied.lastPost ? 1 : 0;
    return { posts: copied.posts, differences: (await inSnapshot(place, countDifferences)) + lacking + lacksLast };
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

/** A folder beside the copy, whose disk has room for it, or a database of the same server. */
async function inTemporaryPlace<T>(
  { databaseUrl, dataDir }: Place,
  file: string,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  if (!databaseUrl) {
    const folder = await mkdtemp(`${file}.check-`);
    try {
      await restoreSqlite(folder, file, false);
      return await work({ databaseUrl, dataDir: folder });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const name = `stena_check_${randomBytes(6).toString('hex')}`;
  const run = (statement: string) => withClient(databaseUrl, (client) => client.query(statement));
  await run(`create database ${name}`).catch((error: Error) => {
    throw new CommandError(
      `Базу для проверки создать нельзя: ${line(error.message)}. Разрешите это роли стены: alter role ИМЯ createdb.`,
    );
  });
  try {
    const url = new URL(databaseUrl);
    url.pathname = name;
    await restorePostgres(url.href, file, false);
    return await work({ databaseUrl: url.href, dataDir });
  } finally {
    await run(`drop database ${name} with (force)`);
  }
}
