import type { FastifyInstance } from 'fastify';
import type { Calls } from '#contract/calls.ts';
import { serverLimits } from '#contract/limits.ts';
import { repliesClosed } from '#contract/reply-rules.ts';
import type { PendingPost } from '#contract/posts.ts';
import { checkedText } from '#contract/text.ts';
import { StorageUnavailable, type Tx } from '../../../db/database.ts';
import { type PersonalJson, personalJson } from '../../../http/response.ts';
import { Accepted, idOf, orNotFound, serve, type ServedCall } from '../../../http/serve.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { openBudgets } from '../../../limits/budgets.ts';
import { spendOpenOrRefuse } from '../../../limits/limits-http.ts';
import { writingBudgets, type WritingOptions } from '../../../limits/writing-budgets.ts';
import { callerOf, spendingIn } from '../../sessions/session-http.ts';
import type { WallSettings } from '../../wall-texts/wall-settings.ts';
import { addBookmark, deleteBookmark, isBookmarked, listBookmarked } from '../../following/bookmarks.ts';
import { followAuthor, unfollowAuthor } from '../../following/followed-authors.ts';
import { isGated, passGate } from '../gate.ts';
import { writeOnce } from '../idempotency.ts';
import { likePost, unlikePost } from '../likes.ts';
import { acceptText, belowOf, listPartOf, ownPost, personalPost, personalTo, PostsResponse } from './list-http.ts';
import { deleteOwnPost, undoDeletion } from '../own-deletion.ts';
import { deletePending, findPending, holdPost } from '../pending-posts.ts';
import { nameMentioned } from '../../../names/mentioned.ts';
import { findPost } from '../../lists/post-lists.ts';
import { toCursor } from '../post-rules.ts';
import { deleteRemovedPost } from '../removed-posts.ts';
import type { ReplyRefusal } from '../reply-rules.ts';
import type { NewPost } from '../post-rows.ts';
import { findSharedPost, setShared } from '../../lists/shared-posts.ts';
import {
  changeText,
  type StoredPost,
  lockVisiblePost,
  type Published,
  publishPost,
  publishReply,
} from '../post-writes.ts';

/** On a closed wall the author of a post can share it: everybody may then read this one post. */
export function sharedRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /posts/{id}/shared', async ({ params }) => orNotFound(await findSharedPost(db.read, idOf(params))));

  const set = (isShared: boolean) =>
    async function ({ params, request }: { params: { id: string }; request: Parameters<typeof spending>[0] }) {
      const postId = idOf(params);
      await spending(request, async (tx: Tx, { userId }) => {
        const post = orNotFound(await findPost(tx.db, postId));
        if (Number(post.owner.id) !== userId) throw new ApiError('FORBIDDEN');
        await setShared(tx, postId, isShared);
      });
    };

  serve(app, 'PUT /posts/{id}/shared', set(true));
  serve(app, 'DELETE /posts/{id}/shared', set(false));
}

export function bookmarkRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'GET /users/current/bookmarks', async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { start, limit } = listPartOf(query);
    const { posts, next } = await listBookmarked(db.read, { userId, below: belowOf(start), limit });
    const reply = { posts, next: next === null ? null : toCursor(next) };
    await nameMentioned(db.read, posts);
    return personalTo(userId, db, new PostsResponse(reply, posts));
  });

  serve(app, 'GET /posts/{id}/bookmark', async ({ params, request }) => {
    const postId = idOf(params);
    orNotFound(await findPost(db.read, postId));
    return { saved: await isBookmarked(db.read, { userId: callerOf(request).userId, postId }) };
  });

  serve(app, 'PUT /posts/{id}/bookmark', async ({ params, request }) => {
    const postId = idOf(params);
    await spending(request, async (tx, caller) => {
      orNotFound(await findPost(tx.db, postId));
      await addBookmark(tx, { ...caller, postId });
    });
  });

  // A bookmark of a deleted post can be removed too.
  serve(app, 'DELETE /posts/{id}/bookmark', async ({ params, request }) => {
    const postId = idOf(params);
    await spending(request, (tx, { userId }) => deleteBookmark(tx, { userId, postId }));
  });
}

const tooManyFollowed = `Вы следите уже за ${serverLimits.followedAuthors} авторами. Чтобы следить ещё за одним, откажитесь от кого-нибудь из них.`;

export function authorRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'PUT /users/{id}/follow', async ({ params, request }) => {
    const authorId = idOf(params);
    if (authorId === callerOf(request).userId) throw new ApiError('FORBIDDEN', { message: 'За собой следить нельзя.' });
    await spending(request, async (tx, caller) => {
      const outcome = await followAuthor(tx, { ...caller, authorId });
      if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
      if (outcome === 'too many') throw new ApiError('INVALID_REQUEST', { message: tooManyFollowed });
    });
  });

  serve(app, 'DELETE /users/{id}/follow', async ({ params, request }) => {
    const authorId = idOf(params);
    await spending(request, (tx, { userId }) => unfollowAuthor(tx, { userId, authorId }));
  });
}

interface PostWritingOptions extends WritingOptions {
  config: { editWindowSeconds: number; rateLimits: boolean };
  wall: Pick<WallSettings, 'gate' | 'pace'>;
}

type PublishCall = Pick<ServedCall<Calls['POST /posts']>, 'body' | 'headers' | 'request'>;

export function writingRoutes(app: FastifyInstance, { db, config, wall, now }: PostWritingOptions): void {
  const budgets = writingBudgets(config);
  const spending = spendingIn({ db, config, now });

  serve(app, 'POST /posts', (call) => publish(call, null));

  serve(app, 'POST /posts/{id}/replies', ({ params, ...call }) => publish(call, idOf(params)));

  serve(app, 'PATCH /posts/{id}', async ({ params, body, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    await spending(request, async (tx, { now: at }) => {
      const text = acceptText(body.text);
      await mustWait(tx, { userId, text, now: at });
      const post = ownOf(await lockVisiblePost(tx, id), userId);
      const deadline = post.created_at + config.editWindowSeconds + serverLimits.editGraceSeconds;
      if (at > deadline) throw new ApiError('EDIT_PERIOD_EXPIRED');
      if (text === post.text) throw new ApiError('INVALID_REQUEST', { message: 'Текст не изменился.' });
      if (await isGated(tx, id)) throw new ApiError('FORBIDDEN', { message: checkedText });
      await changeText(tx, post, text, at);
    });
    return personalPost(db, id, userId);
  });

  serve(app, 'DELETE /posts/{id}', async ({ params, request }) => {
    const id = idOf(params);
    await spending(request, async (tx, { userId, now: at }) => {
      const post = await lockVisiblePost(tx, id);
      if (!post && ((await deletePending(tx, id, userId)) || (await deleteRemovedPost(tx, id, { userId, now: at }))))
        return;
      await deleteOwnPost(tx, ownOf(post, userId), at);
    });
  });

  serve(app, 'POST /posts/{id}/restoration', async ({ params, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    await spending(request, async (tx, caller) => {
      if (!(await undoDeletion(tx, id, caller))) throw new ApiError('NOT_FOUND');
    });
    return personalPost(db, id, userId);
  });

  serve(app, 'POST /posts/{id}/likes', async ({ params, request }) => {
    const postId = idOf(params);
    const likes = await spending(request, (tx, caller) => likePost(tx, { postId, ...caller }));
    return personalJson({ likes_count: orNotFound(likes) });
  });

  serve(app, 'DELETE /posts/{id}/likes', async ({ params, request }) => {
    const postId = idOf(params);
    const likes = await spending(request, (tx, caller) => unlikePost(tx, { postId, ...caller }));
    return personalJson({ likes_count: orNotFound(likes) });
  });

  /** Whether a new text waits for a moderator. Throws if the text is refused, which is all that matters for an edit. */
  async function mustWait(tx: Tx, post: NewPost): Promise<boolean> {
    const passed = await passGate(tx, post, wall.gate);
    if (typeof passed === 'object') throw new ApiError(passed.refused, passed);
    return passed === 'waits';
  }

  async function create(tx: Tx, repliedTo: number | null, post: NewPost): Promise<Published> {
    return repliedTo === null
      ? publishPost(tx, post)
      : unlessRefused(await publishReply(tx, repliedTo, post, wall.pace));
  }

  async function publish(
    { body, headers, request }: PublishCall,
    repliedTo: number | null,
  ): Promise<PersonalJson | Accepted<{ pending: PendingPost }>> {
    const { userId } = callerOf(request);
    const key = headers['idempotency-key'];
    const storedKey = key === undefined ? undefined : `${userId} ${key}`;
    let written: Published | undefined;
    let pending: PendingPost | undefined;
    const id = await db.tx((tx) => {
      const at = now();
      // Sent before `writeOnce` claims the key, so that both queries share one round trip.
      const opened = openBudgets(tx, [budgets.posts(userId)], at);
      tx.send(opened);
      // The work may run twice.
      written = pending = undefined;
      const write = async () => {
        spendOpenOrRefuse(await opened);
        const post = { userId, text: acceptText(body.text), now: at };
        if (await mustWait(tx, post)) {
          pending = unlessRefused(
            await holdPost(tx, { ...post, repliedTo, gate: wall.gate, wallPace: wall.pace, key: storedKey }),
          );
          return Number(pending.id);
        }
        written = await create(tx, repliedTo, post);
        return written.id;
      };
      return storedKey === undefined ? write() : writeOnce(tx, { key: storedKey, now: at }, write);
    });
    if (pending) return new Accepted({ pending });
    // Another process may have written the post, in a request with the same key.
    if (!written && !(await db.catchUp())) throw new StorageUnavailable('PostgreSQL does not report its writes');
    const waiting = written ? undefined : await findPending(db.read, { id, userId });
    if (waiting) return new Accepted({ pending: waiting });
    const post = await written?.post;
    return post ? ownPost(db, post, userId) : personalPost(db, id, userId);
  }
}

function unlessRefused<Done extends object>(done: Done | ReplyRefusal): Done {
  if ('refused' in done) throw replyError(done);
  return done;
}

function replyError({ refused, ...refusal }: ReplyRefusal): ApiError {
  if (refused === 'missing') return new ApiError('NOT_FOUND', { message: 'Запись, на которую вы отвечаете, удалена.' });
  if (refused === 'closed') return new ApiError('DISCUSSION_CLOSED');
  if (refused === 'closed by author') return new ApiError('DISCUSSION_CLOSED', { message: `${repliesClosed}.` });
  return new ApiError(refused, { ...refusal, message: 'Сейчас медленный режим: отвечать можно не подряд.' });
}

/** Refuses a post that is missing or belongs to somebody else. */
function ownOf(found: StoredPost | undefined, userId: number): StoredPost {
  const post = orNotFound(found);
  if (post.user_id !== userId) throw new ApiError('FORBIDDEN');
  return post;
}
