import type { FastifyInstance } from 'fastify';
import { addresses, type UnsubscribeOutcome } from '#contract/addresses.ts';
import type { Calls } from '#contract/calls.ts';
import type { NotificationSettings } from '#contract/notifications.ts';
import type { Database } from '../../db/database.ts';
import { idOf, orNotFound, serve, type ServedCall } from '../../http/serve.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import type { WritingOptions } from '../../limits/writing-budgets.ts';
import type { Secrets } from '../../secrets.ts';
import { callerOf, spendingIn } from '../sessions/session-http.ts';
import { addressOf, mayGetFile, stopLetter, type SubscribedLetter, subscribedLetters } from './digest-store.ts';
import { discussionOf, isFollowing, notificationSettingsOf, setFollowing, setNotificationSettings } from './follows.ts';
import { readUpTo } from './notification-store.ts';

const day = 24 * 3_600;
const validSeconds = 365 * day;

/** Tokens begin with the kind of letters, apart from those for the digest. */
const form = /^(?:([a-z]+)\.)?(\d{1,15})\.(\d{1,11})\.([\w-]{43})$/;

interface UnsubscribeTarget {
  id: number;
  /** The signature covers the address, so a link in a letter to a former address has no effect. */
  email: string;
  letter: SubscribedLetter;
}

const prefixOf = (letter: SubscribedLetter): string => (letter === 'digest' ? '' : `${letter}.`);

const signed = ({ id, email, letter }: UnsubscribeTarget, at: number): string =>
  `unsubscribe ${prefixOf(letter)}${id} ${email} ${at}`;

/** The token of a link that ends a person's letters. It gives no other access, so it is valid for a year and any number of times. */
export function unsubscribeToken(secrets: Secrets, subscriber: UnsubscribeTarget, now: number): string {
  return `${prefixOf(subscriber.letter)}${subscriber.id}.${now}.${secrets.sign('mailed link', signed(subscriber, now))}`;
}

interface UnsubscribeToken {
  letter: SubscribedLetter;
  userId: number;
  /** Unix seconds. */
  at: number;
  signature: string;
}

function readUnsubscribeToken(token: string): UnsubscribeToken | undefined {
  const [, kind = 'digest', userId, at, signature] = form.exec(token) ?? [];
  const letter = subscribedLetters.find((name) => name === kind);
  if (signature === undefined || !letter) return undefined;
  return { letter, userId: Number(userId), at: Number(at), signature };
}

/** Checks a token for the person it names. `email` is the person's current address. */
function judgeUnsubscribeToken(
  secrets: Secrets,
  { letter, userId: id, at, signature }: UnsubscribeToken,
  email: string,
  now: number,
): UnsubscribeOutcome {
  if (!secrets.isSignature(signature, 'mailed link', signed({ id, email, letter }, at))) return 'unknown';
  return at + validSeconds < now ? 'expired' : 'done';
}

interface UnsubscribeOptions {
  db: Database;
  secrets: Secrets;
  /** Unix seconds. */
  now: () => number;
}

/** The body that mail programs send (RFC 8058), urlencoded or multipart. The form of the wall's own page has no fields. */
const oneClick = /List-Unsubscribe[^]{1,50}One-Click/;

/**
 * Ends a person's letters. Mail programs send the request without a cookie, and the signed token is enough, so there is no guard.
 * Opening the page changes nothing, because mail scanners open links too.
 */
export function unsubscribeRoutes(app: FastifyInstance, { db, secrets, now }: UnsubscribeOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(addresses.unsubscribe.path, async ({ query, body }, reply) => {
      const outcome = await unsubscribe(String((query as { token?: string | string[] }).token));
      if (!oneClick.test(String(body))) {
        return reply.redirect(addresses.unsubscribeOutcome.href({ outcome }), 303);
      }
      // A mail program follows no redirect.
      if (outcome !== 'done') throw new ApiError('NOT_FOUND');
      return reply.type('text/plain; charset=utf-8').send('Письма больше не придут.\n');
    });
  });

  async function unsubscribe(token: string): Promise<UnsubscribeOutcome> {
    const read = readUnsubscribeToken(token);
    const email = read && (await addressOf(db.read, read.userId));
    if (email === undefined) return 'unknown';
    const outcome = judgeUnsubscribeToken(secrets, read!, email, now());
    if (outcome !== 'done') return outcome;
    const { letter, userId: id } = read!;
    return (await db.tx((tx) => stopLetter(tx, letter, { id, email }))) ? 'done' : 'unknown';
  }
}

type FollowCall = Pick<ServedCall<Calls['PUT /posts/{id}/follow']>, 'params' | 'request'>;

interface NotificationOptions extends WritingOptions {
  wall: Parameters<typeof mayGetFile>[0];
}

/** The list of notifications consists of posts and is served in `posts/reading-posts-routes.ts`. */
export function notificationRoutes(app: FastifyInstance, { db, config, wall, now }: NotificationOptions): void {
  const spending = spendingIn({ db, config, now });

  serve(app, 'PUT /users/current/notifications/read', async ({ body, request }) => {
    const postId = idOf({ id: body.up_to });
    if (!(await spending(request, (tx, caller) => readUpTo(tx, { ...caller, postId }))))
      throw new ApiError('NOT_FOUND');
  });

  serve(app, 'GET /posts/{id}/follow', async ({ params, request }) => {
    const { userId } = callerOf(request);
    const rootId = orNotFound(await discussionOf(db.read, idOf(params)));
    return { following: await isFollowing(db.read, { rootId, userId }) };
  });

  serve(app, 'PUT /posts/{id}/follow', (call) => choose(call, true));
  serve(app, 'DELETE /posts/{id}/follow', (call) => choose(call, false));

  serve(app, 'GET /users/current/notification-settings', ({ request }) => settingsOf(callerOf(request).userId));

  serve(app, 'PUT /users/current/notification-settings', async ({ body, request }) => {
    await spending(request, (tx, { userId }) => setNotificationSettings(tx, userId, body));
    return settingsOf(callerOf(request).userId);
  });

  async function settingsOf(userId: number): Promise<NotificationSettings> {
    const { file_monthly: isMailed, ...settings } = await notificationSettingsOf(db.read, userId);
    const person = db.read.selectFrom('users').select('role').where('id', '=', userId);
    const { role } = await person.executeTakeFirstOrThrow();
    return mayGetFile(wall, role) ? { ...settings, file_monthly: isMailed } : settings;
  }

  async function choose({ params, request }: FollowCall, following: boolean): Promise<{ following: boolean }> {
    const postId = idOf(params);
    await spending(request, async (tx, { userId }) => {
      const rootId = orNotFound(await discussionOf(tx.db, postId));
      await setFollowing(tx, { rootId, userId }, following);
    });
    return { following };
  }
}
