import type { FastifyInstance } from 'fastify';
import { isClosedByAuthor } from '#contract/pace.ts';
import { idOf, orNotFound, serve } from '../../../http/serve.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { closeReplies, lockPace } from '../../posts/reply-pace.ts';
import { lockVisiblePost } from '../../posts/post-writes.ts';
import { spendingIn } from '../../sessions/session-http.ts';
import { moderatorName } from '../roles.ts';
import { actIdOf, type DeskOptions } from './desk-http.ts';
import { perform } from './perform.ts';

const keptClosed = 'Обсуждение закрыли те, кто ведёт стену: открыть его могут только они.';

/** Authors close replies to their own root posts. Who keeps the wall opens them with an act that the journal shows. */
export function closureRoutes(app: FastifyInstance, { db, config, actor, now }: DeskOptions): void {
  const spending = spendingIn({ db, config, now });

  /** Resolves to `not own` where it did nothing, because a keeper asks. */
  const set = (request: Parameters<typeof spending>[0], id: number, isClosed: boolean) =>
    spending(request, async (tx, { userId }) => {
      const post = orNotFound(await lockVisiblePost(tx, id));
      if (post.user_id !== userId) {
        // A program does not keep the wall.
        const isKeeper = !isClosed && 'sessionId' in request.caller! && (await moderatorName(tx.db, userId));
        if (isKeeper) return 'not own';
        throw new ApiError('FORBIDDEN');
      }
      if (post.replied_post_id !== null) {
        throw new ApiError('INVALID_REQUEST', {
          message: 'Это ответ. Закрыть можно ответы на запись, которая стоит в ленте.',
        });
      }
      const refused = await closeReplies(tx, { rootId: id, pace: post.pace }, isClosed, now());
      if (refused && !isClosed) throw new ApiError('FORBIDDEN', { message: keptClosed });
      return undefined;
    });

  serve(app, 'PUT /posts/{id}/closure', async ({ params, request }) => {
    await set(request, idOf(params), true);
  });

  serve(app, 'DELETE /posts/{id}/closure', async ({ params, request }) => {
    const id = idOf(params);
    if ((await set(request, id, false)) !== 'not own') return;
    const { outcome } = await perform(db, async (tx) => {
      const by = await actor.by(tx, { request });
      const found = await lockPace(tx, id);
      return found && isClosedByAuthor(found.pace) ? { act: 'unlock', id, by } : { refused: 'already' };
    });
    actIdOf(outcome);
  });
}
