import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { siteFiles } from '#contract/addresses.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { routePath, serve } from '../../http/serve.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf, spendingIn } from '../sessions/session-http.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';
import { type CarryScope, countCarried, tooMany } from './carried-posts.ts';
import { fileOf } from './carry-file.ts';
import { carriesOf, findCarry, startCarry, stateOf } from './carry-store.ts';

interface CarryOptions extends WritingOptions {
  wall: WallSettings;
}

export function carryRoutes(app: FastifyInstance, { db, config, wall, now }: CarryOptions): void {
  const spending = spendingIn({ db, config, now });

  async function start(request: FastifyRequest, scope: CarryScope): Promise<{ id: string }> {
    // Counting reads all posts, so the budget is spent before.
    const by = await spending(request, async (_tx, spender) => spender);
    const message = tooMany(await countCarried(db, scope));
    if (message !== undefined) throw new ApiError('INVALID_REQUEST', { message });
    return { id: await db.tx((tx) => startCarry(tx, { ...scope, ...by })) };
  }

  serve(app, 'POST /keep/carries', ({ body, request }) =>
    start(request, { ofId: null, withOthers: true, year: body.year ?? null }),
  );
  serve(app, 'POST /users/current/carries', ({ body, request }) => {
    const withOthers = wall.readers === 'everyone' && wall.membersCarryOthers;
    return start(request, { ofId: callerOf(request).userId, withOthers, year: body.year ?? null });
  });
  serve(app, 'GET /users/current/carries', async ({ request }) => {
    const rows = await carriesOf(db.read, callerOf(request).userId);
    const carries = rows.map((row) => {
      const { id, done, total, expires_at } = row;
      const state = stateOf(row, now());
      const url = state === 'ready' ? wall.publicUrl + siteFiles.carried.href({ id }) : null;
      return { id, whole: row.of_id === null, state, done, total, url, expires_at };
    });
    return { carries };
  });

  app.get<{ Params: { id: string } }>(routePath(siteFiles.carried.path), async ({ params }, reply) => {
    const carry = await findCarry(db.read, params.id);
    if (!carry || stateOf(carry, now()) !== 'ready' || carry.expires_at < now()) return reply.callNotFound();
    const { filename, content } = await fileOf(db.read, wall, carry);
    // As a page of the wall the file would run its script with the rights of whoever opens it.
    return reply
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(Readable.from(content));
  });
}
