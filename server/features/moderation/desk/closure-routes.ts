import type { FastifyInstance } from 'fastify';
import { idOf, orNotFound, serve } from '../../../http/serve.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { closeReplies, lockRules } from '../../posts/reply-rules.ts';
import { lockVisiblePost } from '../../posts/post-writes.ts';
import { spendingIn } from '../../sessions/session-http.ts';
import { moderatorName } from '../roles.ts';
import { actIdOf, type DeskOptions } from './desk-http.ts';
import { perform } from './perform.ts';

const closedByKeepers = 'Обсуждение закрыли те, кто ведёт стену: открыть его могут только они.';

/** The author of a root post closes and opens its discussion. A keeper opens it too, by an act that the journal shows. */
export function closureRoutes(app: FastifyInstance, { db, config, actor, now }: DeskOptions): void {
  const spending = spendingIn({ db, config, now });

  /** Resolves to `not own` when a keeper asks to open the discussion of another person; nothing is changed then. */
  const set = (request: Parameters<typeof spending>[0], id: number, isClosed: boolean) =>
    spending(request, async (tx, { userId }) => {
      const post = orNotFound(await lockVisiblePost(tx, id));
      if (post.user_id !== userId) {
        // An API token has no rights of a keeper.
        const isKeeper = !isClosed && 'sessionId' in request.caller! && (await moderatorName(tx.db, userId));
        if (isKeeper) return 'not own';
        throw new ApiError('FORBIDDEN');
      }
      if (post.replied_post_id !== null) {
        throw new ApiError('INVALID_REQUEST', {
          message: 'Это ответ. Закрыть можно ответы на запись, которая стоит в ленте.',
        });
      }
      const refused = await closeReplies(tx, { rootId: id, closed_by: post.closed_by }, isClosed, now());
      if (refused && !isClosed) throw new ApiError('FORBIDDEN', { message: closedByKeepers });
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
      const found = await lockRules(tx, id);
      return found?.closed_by === 'author' ? { act: 'unlock', id, by } : { refused: 'already' };
    });
    actIdOf(outcome);
  });
}
