import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { addresses, inDiscussion } from '#contract/addresses.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { excerpt } from '#contract/text-parts.ts';
import type { Database } from '../../../db/database.ts';
import { logFailure } from '../../../db/write-outage.ts';
import type { PushHosts } from './push-hosts.ts';
import { authorizationOf, encrypted, topicOf, type WallKey } from './push-message.ts';
import {
  contentsOf,
  endDelayed,
  endDropped,
  endSent,
  type Push,
  type PushContent,
  removeSubscription,
  takeDue,
} from './push-store.ts';

interface SenderOptions {
  db: Database;
  key: WallKey;
  hosts: PushHosts;
  wall: { readonly contact: string };
  log: FastifyBaseLogger;
  /** Unix seconds. */
  now: () => number;
}

const pollMs = 1_000;
/** Messages that one process sends at the same time. */
const concurrency = 50;
const timeoutMs = 10_000;
/** The push service keeps a message for a browser without a network for so long. */
const keptSeconds = 24 * 3_600;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;
/** With pauses that are four times as long each time the last try comes an hour after the first. */
const tries = 6;
const textLength = 120;

const verbs: Record<NotificationKind, string> = {
  answer: 'отвечает вам',
  mention: 'упоминает вас',
  followed: 'пишет в обсуждении',
};

/** What the service worker shows. */
function shownFor({ username, display_name: name, kind, text, hides_text: hides, ...push }: PushContent): string {
  const [id, rootId] = [String(push.post_id), String(push.root_post_id)];
  return JSON.stringify({
    title: `${name ?? username} ${verbs[kind]}`,
    ...(hides === 0 && { body: excerpt(text, textLength) }),
    url: id === rootId ? addresses.post.href({ id }) : inDiscussion(id, rootId),
    tag: rootId,
  });
}

/** Sends the queued messages, also those of other processes. */
export function startPushSender(options: SenderOptions): { close(): Promise<void> } {
  const { db, key, hosts, wall, log, now } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const closing = new AbortController();
  const sending = new Set<Promise<void>>();
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const atMost = concurrency - sending.size;
        const pushes = atMost > 0 ? await takeDue(db, now(), atMost) : [];
        const contents = pushes.length > 0 ? await contentsOf(db.read, pushes, now()) : [];
        for (const push of pushes) {
          const content = contents.find(
            (one) => one.session_id === push.session_id && one.root_post_id === push.root_post_id,
          );
          const work = deliver(push, content).catch((error: unknown) =>
            logFailure(options, { err: error }, 'the end of a push message could not be stored'),
          );
          sending.add(work);
          void work.finally(() => sending.delete(work));
        }
      } catch (error) {
        logFailure(options, { err: error }, 'the push messages are out of reach');
      }
      await pause(pollMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  async function deliver(push: Push, content: PushContent | undefined): Promise<void> {
    if (!content) return db.tx((tx) => endDropped(tx, push));
    const { status, retryAfter } = await post(content);
    if (status >= 200 && status < 300) return db.tx((tx) => endSent(tx, push, content.post_id, now()));
    if (status === 404 || status === 410) {
      return db.tx((tx) => removeSubscription(tx, content.session_id, content.endpoint));
    }
    // The process stops: another one sends it.
    if (closing.signal.aborted) return undefined;
    const isLast = push.tries >= tries;
    const { host } = new URL(content.endpoint);
    log.warn({ host, status, tries: push.tries }, isLast ? 'a push message was given up' : 'push message not accepted');
    const seconds = Math.max(firstPauseSeconds * 4 ** (push.tries - 1), retryAfter);
    return db.tx((tx) =>
      isLast ? endDropped(tx, push) : endDelayed(tx, push, now() + Math.min(seconds, longestPauseSeconds)),
    );
  }

  /** The status of the push service; 0 without a response. */
  function post(content: PushContent): Promise<{ status: number; retryAfter: number }> {
    const url = new URL(content.endpoint);
    const none = { status: 0, retryAfter: 0 };
    if (!hosts.mayBeNamed(url)) return Promise.resolve(none);
    const body = encrypted(shownFor(content), content);
    const headers = {
      authorization: authorizationOf(key, url, wall.contact, now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      ttl: keptSeconds,
      topic: topicOf(content, content.root_post_id),
      urgency: 'normal',
    };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    return new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers, signal, ...hosts.connecting(url) }, (response) => {
        // The body is not read: it may be of any length.
        response.on('error', () => {}).destroy();
        resolve({ status: response.statusCode!, retryAfter: Number(response.headers['retry-after']) || 0 });
      });
      sent.on('error', () => resolve(none));
      sent.end(body);
    });
  }

  return {
    async close() {
      closing.abort();
      await running;
      await Promise.all(sending);
      agent.destroy();
    },
  };
}
