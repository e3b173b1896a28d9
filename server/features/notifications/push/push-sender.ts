import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { addresses, inDiscussion } from '#contract/addresses.ts';
import { notificationWords, wordInQuotes } from '#contract/notification-words.ts';
import { excerpt } from '#contract/text-parts.ts';
import { nameInLetter } from '#contract/username.ts';
import type { Database } from '../../../db/database.ts';
import { logFailure } from '../../../db/write-outage.ts';
import { shownNames } from '../../../names/shown-names.ts';
import type { PushHosts } from './push-hosts.ts';
import { authorizationOf, encrypted, topicOf, type WallKey } from './push-message.ts';
import {
  contentsOf,
  type Due,
  endDelayed,
  endDropped,
  endSent,
  listDue,
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
/** The poll interval while more messages are due than may be sent at the same time. */
const busyPollMs = 100;
/**
 * Messages that one process sends at the same time: in all, to one person, and to one host. A host that does not respond keeps
 * its requests open until they time out. The limits leave requests for other hosts and people.
 */
const atOnce = { all: 50, person: 2, host: 20 };
/** Number of due messages that are read to choose those to send. */
const considered = 500;
const timeoutMs = 10_000;
/** How long the push service keeps a message for a browser that is offline. */
const ttlSeconds = 24 * 3_600;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;
/** Each pause is four times as long as the previous one, so the last try comes an hour after the first. */
const tries = 6;
const textLength = 120;

const hostOf = ({ endpoint }: Pick<Due, 'endpoint'>): string => new URL(endpoint).host;

function counted<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The text of a message, as JSON for the service worker that shows it. */
function shownFor({ kind, word, text, hides_text: hides, ...push }: PushContent): string {
  const [id, rootId] = [String(push.post_id), String(push.root_post_id)];
  return JSON.stringify({
    title: `${nameInLetter(shownNames(push))}${word === null || hides === 1 ? ` ${notificationWords[kind].verb}` : `: ${wordInQuotes(word)}`}`,
    ...(hides === 0 && { body: excerpt(text, textLength) }),
    url: id === rootId ? addresses.post.href({ id }) : inDiscussion(id, rootId),
    tag: rootId,
  });
}

/** Tries by outcome: accepted by the push service; to be tried again; given up; the browser is no longer subscribed. */
type PushTally = Record<'accepted' | 'delayed' | 'abandoned' | 'unsubscribed', number>;

export interface PushSender {
  /** Since the process started. */
  readonly tally: Readonly<PushTally>;
  close(): Promise<void>;
}

/** Sends the queued messages of all processes. */
export function startPushSender(options: SenderOptions): PushSender {
  const { db, key, hosts, wall, log, now } = options;
  const tally: PushTally = { accepted: 0, delayed: 0, abandoned: 0, unsubscribed: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce.host });
  const closing = new AbortController();
  const sending = new Map<Promise<void>, Due>();
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const isMoreDue = await sendDue().catch((error: unknown) => {
        logFailure(options, { err: error }, 'the push messages are out of reach');
        return false;
      });
      const signal = closing.signal;
      await pause(isMoreDue ? busyPollMs : pollMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves to whether more messages are due than may be sent now. */
  async function sendDue(): Promise<boolean> {
    const people = counted([...sending.values()].map((one) => one.user_id));
    const ofHosts = counted([...sending.values()].map(hostOf));
    const except = {
      people: [...people].flatMap(([id, count]) => (count >= atOnce.person ? [id] : [])),
      hosts: [...ofHosts].flatMap(([host, count]) => (count >= atOnce.host ? [host] : [])),
    };
    const due = await listDue(db.read, now(), except, considered);
    const chosen: Due[] = [];
    for (const one of due) {
      const [ofPerson, ofHost] = [people.get(one.user_id) ?? 0, ofHosts.get(hostOf(one)) ?? 0];
      if (sending.size + chosen.length >= atOnce.all) break;
      if (ofPerson >= atOnce.person || ofHost >= atOnce.host) continue;
      people.set(one.user_id, ofPerson + 1);
      ofHosts.set(hostOf(one), ofHost + 1);
      chosen.push(one);
    }
    const pushes = await takeDue(db, now(), chosen);
    const contents = pushes.length > 0 ? await contentsOf(db.read, pushes, now()) : [];
    for (const push of pushes) {
      const isSame = (one: Pick<Push, 'session_id' | 'root_post_id'>): boolean =>
        one.session_id === push.session_id && one.root_post_id === push.root_post_id;
      const work = deliver(push, contents.find(isSame)).catch((error: unknown) =>
        logFailure(options, { err: error }, 'the end of a push message could not be stored'),
      );
      sending.set(work, chosen.find(isSame)!);
      void work.finally(() => sending.delete(work));
    }
    return due.length > chosen.length;
  }

  async function deliver(push: Push, content: PushContent | undefined): Promise<void> {
    if (!content) return db.tx((tx) => endDropped(tx, push));
    const { status, retryAfter } = await post(content);
    if (status >= 200 && status < 300) {
      tally.accepted += 1;
      return db.tx((tx) => endSent(tx, push, content.post_id, now()));
    }
    if (status === 404 || status === 410) {
      tally.unsubscribed += 1;
      return db.tx((tx) => removeSubscription(tx, content.session_id, content.endpoint));
    }
    // The process is stopping; another process will send the message.
    if (closing.signal.aborted) return undefined;
    const isLast = push.tries >= tries;
    tally[isLast ? 'abandoned' : 'delayed'] += 1;
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
    if (!hosts.hasAllowedName(url)) return Promise.resolve(none);
    const body = encrypted(shownFor(content), content);
    const headers = {
      authorization: authorizationOf(key, url, wall.contact, now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': body.length,
      ttl: ttlSeconds,
      topic: topicOf(content, content.root_post_id),
      urgency: 'normal',
    };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    return new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers, signal, ...hosts.connecting(url) }, (response) => {
        // The body is not read, because it may be of any length.
        response.on('error', () => {}).destroy();
        resolve({ status: response.statusCode!, retryAfter: Number(response.headers['retry-after']) || 0 });
      });
      sent.on('error', () => resolve(none));
      sent.end(body);
    });
  }

  return {
    tally,
    async close() {
      closing.abort();
      await running;
      await Promise.all(sending.keys());
      agent.destroy();
    },
  };
}
