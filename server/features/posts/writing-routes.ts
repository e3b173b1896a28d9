import type { FastifyInstance } from 'fastify';
import type { CallOf } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import * as schema from '#contract/posts.schema.ts';
import type { PendingPost } from '#contract/posts.ts';
import * as posts from '#contract/posts.ts';
import { StorageUnavailable, type Tx } from '../../db/database.ts';
import { type PersonalJson, personalJson } from '../../http/response.ts';
import { ApiError } from '../../http/api-error.ts';
import { Accepted, serve, type ServedCall } from '../../http/serve.ts';
import { openBudgets } from '../../limits/budgets.ts';
import { spendOpenOrRefuse } from '../../limits/http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { deleteOwnPost, undoDeletion } from './own-deletion.ts';
import { passGate } from './gate.ts';
import { deletePending, findPending, holdPost } from './pending-posts.ts';
import { deleteRemovedPost } from './removed-posts.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';
import { callerOf } from '../sessions/http.ts';
import { spendingIn } from '../sessions/spending-http.ts';
import { writeOnce } from './idempotency.ts';
import type { ReplyRefusal } from './pace.ts';
import { acceptText, personalPost, personalTo, PostsResponse } from './http.ts';
import { likePost, unlikePost } from './likes.ts';
import {
  changeText,
  type NewPost,
  type LockedPost,
  lockVisiblePost,
  type Published,
  publishPost,
  publishReply,
} from './writes.ts';
import { idOf, orNotFound } from '../../http/requests.ts';

interface PostWritingOptions extends WritingOptions {
  config: { editWindowSeconds: number; rateLimits: boolean };
  wall: Pick<WallSettings, 'gate' | 'pace'>;
}

type PublishCall = Pick<ServedCall<CallOf<typeof schema.createPost>>, 'body' | 'headers' | 'request'>;

export function writingRoutes(app: FastifyInstance, { db, config, wall, now }: PostWritingOptions): void {
  const budgets = writingBudgets(config);
  const spending = spendingIn({ db, config, now });

  serve(app, posts.createPost, schema.createPost, (call) => publish(call, null));

  serve(app, posts.createReply, schema.createReply, ({ params, ...call }) => publish(call, idOf(params)));

  serve(app, posts.editPost, schema.editPost, async ({ params, body, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    await spending(request, 'edits', async (tx, { now: at }) => {
      const text = acceptText(body.text);
      await admit(tx, { userId, text, now: at });
      const post = ownOf(await lockVisiblePost(tx, id), userId);
      const deadline = post.created_at + config.editWindowSeconds + limits.editGraceSeconds;
      if (at > deadline) throw new ApiError('EDIT_PERIOD_EXPIRED');
      if (text === post.text) throw new ApiError('INVALID_REQUEST', { message: 'Текст не изменился.' });
      await changeText(tx, post, text, at);
    });
    return personalPost(db, id, userId);
  });

  serve(app, posts.deletePost, schema.deletePost, async ({ params, request }) => {
    const id = idOf(params);
    await spending(request, 'deletions', async (tx, { userId, now: at }) => {
      const post = await lockVisiblePost(tx, id);
      if (!post && ((await deletePending(tx, id, userId)) || (await deleteRemovedPost(tx, id, userId)))) return;
      await deleteOwnPost(tx, ownOf(post, userId), at);
    });
  });

  serve(app, posts.restorePost, schema.restorePost, async ({ params, request }) => {
    const { userId } = callerOf(request);
    const id = idOf(params);
    await spending(request, 'restorations', async (tx, caller) => {
      if (!(await undoDeletion(tx, id, caller))) throw new ApiError('NOT_FOUND');
    });
    return personalPost(db, id, userId);
  });

  serve(app, posts.likePost, schema.likePost, async ({ params, request }) => {
    const postId = idOf(params);
    const likes = await spending(request, 'likes', (tx, caller) => likePost(tx, { postId, ...caller }));
    return personalJson({ likes_count: orNotFound(likes) });
  });

  serve(app, posts.unlikePost, schema.unlikePost, async ({ params, request }) => {
    const postId = idOf(params);
    const likes = await spending(request, 'unlikes', (tx, caller) => unlikePost(tx, { postId, ...caller }));
    return personalJson({ likes_count: orNotFound(likes) });
  });

  /** Whether a text waits for a moderator. */
  async function admit(tx: Tx, post: NewPost): Promise<boolean> {
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
      // Under way together with the claim of the key.
      const opened = openBudgets(tx, [budgets.posts(userId)], at);
      tx.send(opened);
      // The work may run twice.
      written = pending = undefined;
      const write = async () => {
        spendOpenOrRefuse(await opened);
        const post = { userId, text: acceptText(body.text), now: at };
        if (await admit(tx, post)) {
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
    // The first of two requests with one key may have reached another process.
    if (!written && !(await db.catchUp())) throw new StorageUnavailable('PostgreSQL does not report its writes');
    const waiting = written ? undefined : await findPending(db.read, { id, userId });
    if (waiting) return new Accepted({ pending: waiting });
    const post = await written?.post;
    return post ? personalTo(userId, db, new PostsResponse(post, [post])) : personalPost(db, id, userId);
  }
}

function unlessRefused<Done extends object>(done: Done | ReplyRefusal): Done {
  if ('refused' in done) throw replyError(done);
  return done;
}

function replyError({ refused, ...refusal }: ReplyRefusal): ApiError {
  if (refused === 'missing') return new ApiError('NOT_FOUND', { message: 'Запись, на которую вы отвечаете, удалена.' });
  if (refused === 'closed') return new ApiError('DISCUSSION_CLOSED');
  return new ApiError(refused, { ...refusal, message: 'Сейчас медленный режим: отвечать можно не подряд.' });
}

/** Refuses a post that is missing or belongs to somebody else. */
function ownOf(found: LockedPost | undefined, userId: number): LockedPost {
  const post = orNotFound(found);
  if (post.user_id !== userId) throw new ApiError('FORBIDDEN');
  return post;
}
