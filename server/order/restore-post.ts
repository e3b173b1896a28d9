import type { Selectable } from 'kysely';
import { putAnswerBack } from '../answers/store.ts';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { recordChange, recordReading } from '../events/store.ts';
import { countRootPost } from '../posts/feed-counts.ts';
import { moveLikes } from '../posts/move-likes.ts';
import { countReplies, countUsersPosts, countUsersReplies } from '../posts/writes.ts';

type HiddenPost = Selectable<Schema['hidden_posts']>;

/** Puts a hidden post back where it was, with the likes of those who are still there. */
export async function restorePost(tx: Tx, id: number, now: number): Promise<'restored' | 'not hidden' | 'author gone'> {
  const post = await takeHidden(tx, id);
  if (!post) return 'not hidden';
  if (!(await hasAuthor(tx, post))) return 'author gone';
  const replies = await takeReplies(tx, id);
  await putBack(tx, post, replies.length);
  await moveLikes(tx, id, 'shown');
  await tx.db.deleteFrom('hidden_posts').where('id', '=', id).execute();
  if (post.replied_post_id === null) await countRoot(tx, post);
  else await countReply(tx, post, post.replied_post_id, now);
  await putToAnswers(tx, post, now);
  // Where it is quoted it was told as gone.
  tx.touch(`post:${id}`, ...replies.map((reply) => `post:${reply.id}` as const));
  return 'restored';
}

/**
 * Reads a hidden post and holds it till the end of the transaction, and what it answers if that is hidden as well: of two
 * that are restored at once the later one must see the other.
 */
async function takeHidden({ db }: Tx, id: number): Promise<HiddenPost | undefined> {
  const take = (hiddenId: number) =>
    db
      .updateTable('hidden_posts')
      .set((eb) => ({ reason: eb.ref('reason') }))
      .where('id', '=', hiddenId)
      .returningAll()
      .executeTakeFirst();
  const post = await take(id);
  if (post?.replied_post_id) await take(post.replied_post_id);
  return post;
}

async function hasAuthor({ db }: Tx, { user_id: userId }: HiddenPost): Promise<boolean> {
  const author = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return author !== undefined;
}

/** Whoever deletes one of them meanwhile has to wait, and counts it out of the post that is there by then. */
function takeReplies({ db }: Tx, id: number): Promise<Array<{ id: number }>> {
  return db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb.ref('likes_count') }))
    .where('replied_post_id', '=', id)
    .returning('id')
    .execute();
}

async function putBack({ db }: Tx, post: HiddenPost, repliesCount: number): Promise<void> {
  const { id, user_id, text, created_at, is_modified, parent_post_id, replied_post_id } = post;
  await db
    .insertInto('posts')
    .values({
      id,
      user_id,
      text,
      created_at,
      is_modified,
      parent_post_id,
      replied_post_id,
      replies_count: repliesCount,
    })
    .execute();
}

async function putToAnswers(tx: Tx, post: HiddenPost, now: number): Promise<void> {
  const { id: postId, user_id: authorId, answered_id: userId, answer_no: no } = post;
  if (userId === null || no === null) return;
  await putAnswerBack(tx, { userId, no, postId, authorId });
  await recordReading(tx, userId, now);
}

async function countRoot(tx: Tx, { id, user_id: userId }: HiddenPost): Promise<void> {
  await countUsersPosts(tx.db, { userId, change: 1 });
  await countRootPost(tx, id, 1);
  tx.touch('feed', `posts-of:${userId}`);
}

async function countReply(tx: Tx, { user_id: userId }: HiddenPost, repliedTo: number, now: number): Promise<void> {
  await countUsersReplies(tx.db, { userId, change: 1 });
  const [replied] = await countReplies(tx.db, { id: repliedTo, change: 1 });
  // Counted, not new: open pages must not announce what was there before.
  if (replied) {
    const { user_id: ownerId, replied_post_id: answered } = replied;
    await recordChange(tx, { kind: 'counted', postId: repliedTo, ownerId, repliedTo: answered, now });
  }
  tx.touch(`post:${repliedTo}`, `replies:${repliedTo}`);
}
