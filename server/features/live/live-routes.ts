import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { clientNetwork } from '../../http/connections.ts';
import { serve } from '../../http/serve.ts';
import { type Broadcast, inTurns, type ReadOwn, type Subscriber, toEvent } from '../../live/broadcast.ts';
import { nowhere } from '../../live/change-log.ts';
import { EventStream } from '../../live/event-stream.ts';
import { changesFor, MissedChanges, type OwnPart } from '../../live/wall-changes.ts';
import { listsFor } from '../../live/own-changes.ts';
import { findTokenOwner } from '../api-tokens/token-store.ts';
import { countUnread } from '../notifications/notification-store.ts';
import { nameOf, positionsOf } from '../reading/reading-store.ts';
import type { Cookies } from '../sessions/cookies.ts';
import { cookieHash, isBlocked } from '../sessions/session-rules.ts';
import { findSessionByCookie, findSessionOwner } from '../sessions/session-store.ts';

/** The personal part of a first event and of each response to a poll. */
async function currentOwn(db: Kysely<Schema>, userId: number, watched: readonly string[]): Promise<OwnPart> {
  return { unread: await countUnread(db, userId), ...(await readingOf(db, userId, listsFor(watched))) };
}

async function readingOf(
  db: Kysely<Schema>,
  userId: number,
  lists: readonly number[],
): Promise<Pick<OwnPart, 'reading'>> {
  const positions = await positionsOf(db, userId, lists);
  return { reading: positions.map(({ list, post_id }) => ({ list: nameOf(list), post_id: String(post_id) })) };
}

/** Leaves out subscribers who are blocked or whose session or token has ended. */
export const makeReadOwn =
  (now: () => number): ReadOwn =>
  async (db, subscribers, changes) =>
    changes.size === 0
      ? new Map()
      : ownFor(db, now(), subscribers, async (userId) => {
          const change = changes.get(userId);
          return (
            change && {
              ...(change.unread && { unread: await countUnread(db, userId) }),
              ...(change.lists.size > 0 && (await readingOf(db, userId, [...change.lists]))),
            }
          );
        });

/** Visitors, blocked people, and people whose session or token has ended: on a closed wall they get nothing. */
export async function outsidersAmong(
  db: Kysely<Schema>,
  subscribers: readonly Subscriber[],
  now: number,
): Promise<readonly Subscriber[]> {
  const keyOf = ({ viewer }: Subscriber) =>
    viewer && ('sessionId' in viewer ? `s${viewer.sessionId}` : `t${viewer.tokenId}`);
  const idsOf = (kind: string) =>
    subscribers.flatMap((each) => (keyOf(each)?.startsWith(kind) ? Number(keyOf(each)!.slice(1)) : []));
  const open = async (kind: 's' | 't', table: 'sessions' | 'program_tokens'): Promise<string[]> => {
    const ids = idsOf(kind);
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom(table)
      .innerJoin('users', 'users.id', `${table}.user_id`)
      .select(`${table}.id`)
      .where(`${table}.id`, 'in', ids)
      .where((eb) => eb.or([eb('users.blocked_at', 'is', null), eb('users.blocked_until', '<=', now)]))
      .execute();
    return rows.map(({ id }) => `${kind}${id}`);
  };
  const valid = new Set((await Promise.all([open('s', 'sessions'), open('t', 'program_tokens')])).flat());
  return subscribers.filter((each) => !valid.has(keyOf(each) ?? ''));
}

/** Reads once for each person, who may have several subscribers. */
async function ownFor(
  db: Kysely<Schema>,
  now: number,
  subscribers: Iterable<Subscriber>,
  read: (userId: number) => Promise<OwnPart | undefined>,
): Promise<Map<Subscriber, OwnPart>> {
  const found = new Map<Subscriber, OwnPart>();
  const byPerson = new Map<number, OwnPart | undefined>();
  const next = inTurns();
  for (const subscriber of subscribers) {
    await next();
    const { viewer } = subscriber;
    if (!viewer) continue;
    if (!byPerson.has(viewer.userId)) byPerson.set(viewer.userId, await read(viewer.userId));
    const own = byPerson.get(viewer.userId);
    if (!own) continue;
    const owner =
      'sessionId' in viewer ? await findSessionOwner(db, viewer.sessionId) : await findTokenOwner(db, viewer.tokenId);
    if (owner?.user_id === viewer.userId && !isBlocked(owner, now)) found.set(subscriber, own);
  }
  return found;
}

export interface EventOptions {
  db: Database;
  broadcast: Broadcast;
  config: Pick<Config, 'rateLimits' | 'addressFactor'>;
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
/** Maximum number of open streams of a person in this process, over all networks. The next one ends the oldest. */
const streamsPerPerson = 32;
const pollSeconds = 30;
/** Reading this many changes costs about as much as a request that reads, and is counted as one. */
const changesPerRead = 10;

export function eventRoutes(
  app: FastifyInstance,
  { db, broadcast, config, cookies, headers, countReads, now }: EventOptions,
): void {
  const ofNetwork = new Streams<string>();
  const ofPerson = new Streams<number>();
  const missed = new MissedChanges(db);
  const head = Object.entries(headers).flat();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    broadcast.close();
  });

  serve(app, 'GET /events', async ({ query, request, reply }) => {
    const watched = query.posts?.split(',').toSorted() ?? [];
    const after = positionOf(request.headers['last-event-id'] ?? query.after);
    if (wantsStream(request)) return stream(request, reply, watched, after);
    const changes = await missedBy(request, after);
    return changesFor(watched, changes, await ownOf(request.caller, watched));
  });

  const missedBy = ({ ip }: FastifyRequest, after: number | undefined) =>
    missed.since(after, (changes) => countReads(ip, Math.floor(changes / changesPerRead)));

  async function ownOf(viewer: Subscriber['viewer'], watched: readonly string[]): Promise<OwnPart | undefined> {
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
    if (config.rateLimits && ofNetwork.of(network).size >= streamsPerNetwork * config.addressFactor) {
      throw new ApiError('TOO_MANY_REQUESTS', { retryAfter: pollSeconds, limit: 'streams' });
    }
    const opened = new EventStream(reply.raw, watched, viewer);
    ofNetwork.add(network, opened);
    reply.raw.once('close', () => {
      ofNetwork.delete(network, opened);
      leave(opened);
    });
    if (viewer) {
      ofPerson.add(viewer.userId, opened);
      const [oldest, ...others] = ofPerson.of(viewer.userId);
      if (others.length >= streamsPerPerson) {
        leave(oldest!);
        oldest!.end();
      }
    }
    await broadcast.add(opened);
    const changes = await missedBy(request, after);
    const own = await ownOf(viewer, watched);
    reply.hijack();
    opened.begin(head, timeEvent(now()) + toEvent(watched, changes, own));
    return undefined;
  }

  function leave(left: EventStream): void {
    broadcast.remove(left);
    if (left.viewer) ofPerson.delete(left.viewer.userId, left);
  }
}

/** The open streams of each key, the oldest first. */
class Streams<Key> {
  #open = new Map<Key, Set<EventStream>>();

  of(key: Key): ReadonlySet<EventStream> {
    return this.#open.get(key) ?? new Set();
  }

  add(key: Key, stream: EventStream): void {
    this.#open.set(key, (this.#open.get(key) ?? new Set()).add(stream));
  }

  delete(key: Key, stream: EventStream): void {
    const streams = this.#open.get(key);
    streams?.delete(stream);
    if (streams?.size === 0) this.#open.delete(key);
  }
}

/** Tells the server's time: scripts cannot read the `Date` header of a stream, and the time in a cached page is old. */
const timeEvent = (now: number): string => `event: time\ndata: ${now}\n\n`;

const wantsStream = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/event-stream');

function positionOf(raw: string | string[] | undefined): number | undefined {
  if (raw === undefined || raw === '') return undefined;
  return typeof raw === 'string' && /^\d{1,16}$/.test(raw) ? Math.min(Number(raw), nowhere) : nowhere;
}
