import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as schema from '#contract/live.schema.ts';
import * as events from '#contract/live.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { clientNetwork } from '../../http/client-network.ts';
import { serve } from '../../http/serve.ts';
import type { Cookies } from '../sessions/cookies.ts';
import { cookieHash, isBlocked } from '../sessions/rules.ts';
import { findSessionByCookie } from '../sessions/store.ts';
import { currentOwn } from './store.ts';
import { type Broadcast, type Subscriber, toEvent } from '../../live/broadcast.ts';
import { changesFor, type Own } from '../../live/news.ts';
import { EventStream } from '../../live/event-stream.ts';
import { nowhere } from '../../live/change-log.ts';
import { MissedNews } from '../../live/missed-news.ts';

export interface EventOptions {
  db: Database;
  broadcast: Broadcast;
  config: { rateLimits: boolean };
  cookies: Cookies;
  /** Headers of every response of the API. */
  headers: Record<string, string>;
  /** Counts reads of an address. */
  countReads: (ip: string, reads: number) => void;
  /** Unix seconds. */
  now: () => number;
}

/** Maximum number of open streams per network. Further clients poll. */
const streamsPerNetwork = 500;
const pollSeconds = 30;
/** To read as many changes costs about as much as another read. */
const changesPerRead = 10;

export function eventRoutes(
  app: FastifyInstance,
  { db, broadcast, config, cookies, headers, countReads, now }: EventOptions,
): void {
  const streams = new Map<string, number>();
  const missed = new MissedNews(db);
  const head = Object.entries(headers).flat();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    broadcast.close();
  });

  serve(app, events.readEvents, schema.readEvents, async ({ query, request, reply }) => {
    const watched = query.posts?.split(',').toSorted() ?? [];
    const after = positionOf(request.headers['last-event-id'] ?? query.after);
    if (wantsStream(request)) return stream(request, reply, watched, after);
    const news = await missedBy(request, after);
    return changesFor(watched, news, await ownOf(request.caller, watched));
  });

  const missedBy = ({ ip }: FastifyRequest, after: number | undefined) =>
    missed.since(after, (changes) => countReads(ip, Math.floor(changes / changesPerRead)));

  async function ownOf(viewer: Subscriber['viewer'], watched: readonly string[]): Promise<Own | undefined> {
    return viewer && currentOwn(db.read, viewer.userId, watched);
  }

  /** Browsers cannot send a token with an event stream, but they send the cookie. */
  async function viewerOf(request: FastifyRequest): Promise<Subscriber['viewer']> {
    const cookie = cookies.read(request, 'session');
    const session = cookie && (await findSessionByCookie(db.read, cookieHash(cookie), now()));
    // The guard refuses a blocked person's token. With the cookie they get the stream of a visitor.
    return session && !isBlocked(session, now()) ? { userId: session.user_id, sessionId: session.id } : undefined;
  }

  async function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    watched: string[],
    after: number | undefined,
  ): Promise<undefined> {
    const viewer = request.caller ?? (await viewerOf(request));
    if (closing) throw new ApiError('UNAVAILABLE', { retryAfter: 1 });
    if (reply.raw.destroyed) {
      reply.hijack();
      return undefined;
    }
    const network = clientNetwork(request.ip);
    const open = streams.get(network) ?? 0;
    if (config.rateLimits && open >= streamsPerNetwork) {
      throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: pollSeconds, limit: 'streams' });
    }
    const opened = new EventStream(reply.raw, watched, viewer);
    streams.set(network, open + 1);
    reply.raw.once('close', () => leave(network, opened));
    await broadcast.add(opened);
    const news = await missedBy(request, after);
    const own = await ownOf(viewer, watched);
    reply.hijack();
    opened.begin(head, timeEvent(now()) + toEvent(watched, news, own));
    return undefined;
  }

  function leave(network: string, subscriber: EventStream): void {
    broadcast.remove(subscriber);
    const left = streams.get(network)! - 1;
    if (left === 0) streams.delete(network);
    else streams.set(network, left);
  }
}

/** The server's time. Scripts cannot read a stream's `Date` header, and the clock of a cached page is late. */
const timeEvent = (now: number): string => `event: time\ndata: ${now}\n\n`;

const wantsStream = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/event-stream');

function positionOf(raw: string | string[] | undefined): number | undefined {
  if (raw === undefined || raw === '') return undefined;
  return typeof raw === 'string' && /^\d{1,16}$/.test(raw) ? Math.min(Number(raw), nowhere) : nowhere;
}
