import { statfs } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import type { Keep } from '#contract/keep.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { readSetting } from '../../db/wall-settings.ts';

/** When the mail server has last accepted a trial letter, in `wall_settings`. */
export const mailTrial = 'mail_trial';

/** Moderators and owners, the first ones first. */
export async function listKeepers(db: Kysely<Schema>): Promise<Keep['keepers']> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'role'])
    .where('role', 'is not', null)
    .where(isNotDeleted('users'))
    .orderBy('id')
    .execute();
  return rows.map(({ id, role, ...names }) => ({ id: String(id), ...names, role: role! }));
}

/** The first steps that can be read from the tables. */
export async function stepsTaken(db: Kysely<Schema>): Promise<{ mail: boolean; post: boolean; invite: boolean }> {
  const isAny = async (table: 'posts' | 'invites'): Promise<boolean> =>
    (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) !== undefined;
  const [mail, post, invite] = await Promise.all([readSetting(db, mailTrial), isAny('posts'), isAny('invites')]);
  return { mail: mail !== undefined, post, invite };
}

/** The free and the total bytes of the disk with the data folder; null if it has no such folder. */
export async function diskOf(dataDir: string): Promise<Keep['health']['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
