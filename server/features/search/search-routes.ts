import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { limitOf } from '#contract/limits.ts';
import type { FoundPosts } from '#contract/search.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import { clientNetwork } from '../../http/connections.ts';
import { readable } from '../../http/readable.ts';
import { readLimit } from '../../http/request-guards.ts';
import { orInvalid, serve } from '../../http/serve.ts';
import { SharedRate } from '../../limits/shared-rate.ts';
import { nameMentioned } from '../../names/mentioned.ts';
import { personalTo, PostsResponse } from '../posts/routes/list-http.ts';
import { tagsOf } from '../posts/post-rows.ts';
import { parseCursor } from '../posts/post-rules.ts';
import { inOtherLayout, parseQuery, type Query } from './query.ts';
import { findPosts } from './search-store.ts';

interface SearchQuery {
  q: string;
  cursor?: string;
  limit?: string;
}

/** Searches of the visitors of one network. When all are made at once, half of `visitorsTogether.burst` remains for others. */
const perNetworkAndMinute = 30;
const networkTooOften =
  'Из вашей сети ищут слишком часто. Подождите немного или войдите: у вошедших поиск не ограничен гостями.';
/** Searches of all visitors in one process together. */
const visitorsTogether = { burst: 60, perSecond: 10 };
const perMemberAndMinute = 120;
const visitorsTooOften =
  'Сейчас ищет слишком много гостей. Подождите немного или войдите: у вошедших поиск не ограничен гостями.';

type Turn = () => Promise<void>;

/**
 * Makes a queue in which searches wait for each other. Each runs in its own turn of the event loop, because a search blocks the
 * process while it reads texts, and on SQLite also while it reads the index.
 */
function makeQueue(): Turn {
  let last = Promise.resolve();
  return () => (last = last.then(() => setImmediate()));
}

export function searchRoutes(app: FastifyInstance, { db, config }: { db: Database; config: Config }): void {
  const { addressFactor } = config;
  const { burst, perSecond } = visitorsTogether;
  // The factor applies to the shared rate too: otherwise one address could use up the rate of all visitors.
  const ofVisitors = new SharedRate({ burst: burst * addressFactor, perSecond: perSecond * addressFactor });
  const waitOfNetwork = readLimit(perNetworkAndMinute * addressFactor);
  const waitOfMember = readLimit(perMemberAndMinute);
  const turnOfVisitor = makeQueue();
  const turnOfMember = makeQueue();

  serve(app, 'GET /posts/search', async ({ query, request: { caller, ip } }) => {
    if (!caller) return new PostsResponse(...asParts(await forVisitor(query, ip)));
    if (config.rateLimits) refuseAfter(waitOfMember(String(caller.userId)));
    return personalTo(caller.userId, db, new PostsResponse(...asParts(await find(query, turnOfMember))));
  });
  // The tag `feed` outdates the page with each new root post, because any post may match. New replies do not touch it, so the page
  // lacks them until it is `pageMaxAgeSeconds` old.
  readable(app, 'GET /posts/search', async ({ query }, _db, ip) => {
    const reply = await forVisitor(query, ip);
    return { reply, tags: ['feed', ...tagsOf(reply.posts)] };
  });

  async function forVisitor(query: SearchQuery, ip: string): Promise<FoundPosts> {
    if (config.search === 'members') throw new ApiError('UNAUTHORIZED');
    if (config.rateLimits) {
      refuseAfter(waitOfNetwork(clientNetwork(ip)), networkTooOften);
      refuseAfter(ofVisitors.secondsToWait(), visitorsTooOften);
      ofVisitors.spend();
    }
    return find(query, turnOfVisitor);
  }

  async function find({ q, cursor, ...asked }: SearchQuery, turn: Turn): Promise<FoundPosts> {
    const before = cursor === undefined ? undefined : orInvalid(parseCursor(cursor));
    const parsed = parseQuery(q);
    if (!parsed.ok) throw new ApiError('INVALID_REQUEST', { message: parsed.message });
    await turn();
    const found = await findPosts(db, parsed.query, { before, limit: limitOf(asked), turn });
    await nameMentioned(db.read, found.posts);
    const isEmpty = found.posts.length === 0 && found.next === null && cursor === undefined;
    return { ...found, corrected: isEmpty ? await correct(q, turn) : null };
  }

  /** The query in the other keyboard layout, if that finds something. */
  async function correct(q: string, turn: Turn): Promise<string | null> {
    const other = inOtherLayout(q);
    const parsed = other === undefined ? undefined : parseQuery(other);
    if (!parsed?.ok) return null;
    return (await findsSome(parsed.query, turn)) ? other! : null;
  }

  async function findsSome(query: Query, turn: Turn): Promise<boolean> {
    const { posts } = await findPosts(db, query, { before: undefined, limit: 1, turn });
    return posts.length > 0;
  }
}

const asParts = (reply: FoundPosts) => [reply, reply.posts] as const;

function refuseAfter(retryAfter: number, message?: string): void {
  if (retryAfter > 0) throw new ApiError('TOO_MANY_REQUESTS', { retryAfter, limit: 'searches', message });
}
