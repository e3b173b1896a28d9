import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/posts.schema.ts';
import * as calls from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { idOf, orNotFound } from '../../http/requests.ts';
import { serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { spendingIn } from '../sessions/spending-http.ts';
import { findSharedPost, setShared } from './shared-posts.ts';
import { findPost } from './store.ts';

/** Authors on a closed wall open single posts to everyone. */
export function sharedRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, calls.getSharedPost, schema.getSharedPost, async ({ params }) =>
    orNotFound(await findSharedPost(db.read, idOf(params))),
  );

  const set = (isShared: boolean) =>
    async function ({ params, request }: { params: { id: string }; request: Parameters<typeof spending>[0] }) {
      const postId = idOf(params);
      await spending(request, 'bookmarks', async (tx: Tx, { userId }) => {
        const post = orNotFound(await findPost(tx.db, postId));
        if (Number(post.owner.id) !== userId) throw new ApiError('FORBIDDEN');
        await setShared(tx, postId, isShared);
      });
    };

  serve(app, calls.sharePost, schema.sharePost, set(true));
  serve(app, calls.unsharePost, schema.unsharePost, set(false));
}
