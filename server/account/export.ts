import type { Kysely } from 'kysely';
import type { CallOf } from '#contract/endpoint.ts';
import type * as schema from '#contract/account.schema.ts';
import type { Schema } from '../db/schema.ts';
import { allHiddenOf } from '../order/hidden-posts.ts';

type Export = CallOf<typeof schema.exportAccount>['reply'];

/** Everything a person has on the wall. */
export async function exportAccount(db: Kysely<Schema>, userId: number): Promise<Export> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const written = await db
    .selectFrom('posts')
    .select(['id', 'text', 'created_at', 'is_modified', 'replied_post_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const likes = await db
    .selectFrom('likes')
    .select(['post_id', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  const own = written.map(({ id, text, created_at, is_modified, replied_post_id }) => ({
    replied_post_id,
    post: { id: String(id), text, created_at, is_modified: is_modified === 1 },
  }));
  return {
    account: { ...account, id: String(account.id) },
    posts: own.filter(({ replied_post_id: answered }) => answered === null).map(({ post }) => post),
    replies: own
      .filter(({ replied_post_id: answered }) => answered !== null)
      .map(({ post, replied_post_id: answered }) => ({ ...post, replied_post_id: String(answered) })),
    likes: likes.map(({ post_id, created_at }) => ({ post_id: String(post_id), created_at })),
    hidden: await allHiddenOf(db, userId),
  };
}
