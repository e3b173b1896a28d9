import type { Kysely } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { findPost } from './post-lists.ts';

/** False for a shared post that is withdrawn. Its row stays, so that the post is shared again when it is restored. */
export async function isSharedPost(db: Kysely<Schema>, postId: number): Promise<boolean> {
  const found = await db
    .selectFrom('shared_posts')
    .innerJoin('posts', 'posts.id', 'post_id')
    .select('post_id')
    .where('post_id', '=', postId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The post without its counts and its quoted post. */
export async function findSharedPost(db: Kysely<Schema>, postId: number) {
  const post = (await isSharedPost(db, postId)) ? await findPost(db, postId) : undefined;
  if (!post) return undefined;
  const { actions: _actions, ...shown } = post;
  return shown;
}

export async function setShared({ db }: Tx, postId: number, isShared: boolean): Promise<void> {
  if (!isShared) {
    await db.deleteFrom('shared_posts').where('post_id', '=', postId).execute();
    return;
  }
  await db
    .insertInto('shared_posts')
    .values({ post_id: postId })
    .onConflict((conflict) => conflict.column('post_id').doNothing())
    .execute();
}
