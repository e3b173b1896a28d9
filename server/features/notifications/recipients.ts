import type { NotificationKind } from '#contract/notifications.ts';
import type { Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { followByReplying, followersToNotify } from './follows.ts';
import { mentionedIn } from './mentions.ts';
import { type NotifiedPost, notify } from './notify.ts';

/**
 * Followers who get their notification in the transaction that writes the reply. If there are more, a job notifies them all: each person's
 * notification is a write to two more pages, for which the author of the reply would wait.
 */
const followersAtOnce = 20;
/** Followers per transaction of the job, so that other writers do not wait long. */
const batch = 200;

export interface Reply extends NotifiedPost {
  text: string;
  repliedOwnerId: number;
  /** The author of the root post, unless it is gone. */
  rootOwnerId: number | undefined;
}

/** Notifies the people whom a new root post mentions. */
export async function notifyOfPost(tx: Tx, { text, ...news }: NotifiedPost & { text: string }): Promise<void> {
  const kinds = new Map<number, NotificationKind>();
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.delete(news.authorId);
  await notify(tx, news, kinds);
}

/** Notifies each person once: of a reply to them, otherwise of a mention, otherwise of the discussion they follow. */
export async function notifyOfReply(tx: Tx, { text, repliedOwnerId, rootOwnerId, ...news }: Reply): Promise<void> {
  const { rootId, authorId } = news;
  const followers = await followersToNotify(tx, { ...news, after: 0, limit: followersAtOnce + 1 });
  if (authorId !== rootOwnerId && !followers.hasAuthorChosen) followByReplying(tx, { rootId, userId: authorId });
  const kinds = new Map<number, NotificationKind>();
  if (followers.ids.length > followersAtOnce) {
    await schedule(tx, { name: 'tell-followers', key: String(news.postId), at: 0, payload: { rootId, authorId } });
  } else {
    for (const id of followers.ids) kinds.set(id, 'followed');
  }
  if (rootOwnerId !== undefined) kinds.set(rootOwnerId, 'followed');
  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');
  kinds.set(repliedOwnerId, 'answer');
  kinds.delete(authorId);
  await notify(tx, news, kinds);
}

interface Run {
  key: string;
  payload: unknown;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Notifies the followers of a discussion of a reply, in batches. After a crash it continues with the others. */
export async function notifyFollowers({ key, payload, tx }: Run): Promise<void> {
  const news = { ...(payload as Omit<NotifiedPost, 'postId'>), postId: Number(key) };
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    after = await tx((opened) => notifyBatch(opened, news, from));
  }
}

/** Resolves to the id of the last person of the batch; undefined when there are no more, or the reply is gone. */
async function notifyBatch(tx: Tx, news: NotifiedPost, after: number): Promise<number | undefined> {
  if (!(await isShown(tx, news.postId))) return undefined;
  const { ids } = await followersToNotify(tx, { ...news, after, limit: batch });
  await notify(tx, news, new Map(ids.map((id) => [id, 'followed'])));
  return ids.length < batch ? undefined : ids.at(-1);
}

/** Locked, so that the reply cannot be deleted meanwhile and leave notifications behind. */
async function isShown(tx: Tx, id: number): Promise<boolean> {
  const post = await tx.db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', id)
    .$if(tx.engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  return post !== undefined;
}
