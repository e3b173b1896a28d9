import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { below, type Figure, none } from '../../measurements/report.ts';
import { type Browser, newAddress, openBrowser } from '../../kit/sign-in.ts';
import type { Engine } from '../../kit/engines.ts';
import { type EventReader, readEvents } from '../../kit/event-reader.ts';
import { type Member, outcome, register } from '../../kit/member.ts';
import { type WallOverHttp, openWallOverHttp } from '../kit/wall-over-http.ts';
import { auditOpen, nothingLost } from '../kit/audit.ts';
import { renew, Residents, sendAsApp } from '../kit/residents.ts';
import { Responses } from '../kit/responses.ts';
import { WrongClock } from '../kit/wrong-clock.ts';
import { type Extent, type Fault, limitOf, onEachEngine } from '../fault.ts';

const hour = 3_600;
const day = 24 * hour;
const codeSeconds = 600;
const sessionSeconds = 90 * day;
/** Errors of the clock in seconds, one after the other. */
const settings = {
  short: [hour, -hour],
  whole: [hour, -hour, day, 0, 100 * day, 0, -365 * day, 0],
};
const residents = { short: 3, whole: 8 };
const stayMs = { short: 200, whole: 2_000 };
/** Long enough for the removal of expired rows, which runs every minute, to run with the wrong clock. */
const longStayMs = 65_000;
const mailWithinMs = 10_000;
const postsAMinute = 5;
/** SMTP status of a temporary failure. */
const tryLater = 451;
const checkEveryMs = 50;

/** The clock is set wrong and right again while people read, write and sign in. */
export const clockJumps: Fault = {
  name: 'clock-jumps',
  run: (extent) => onEachEngine((engine) => jumped(engine, extent)),
};

interface Stage {
  wall: WallOverHttp;
  clock: WrongClock;
  events: EventReader;
  checks: Checks;
}

async function jumped(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const clock = cleanup.use(await WrongClock.make());
  const wall = cleanup.use(await openWallOverHttp(engine, clock.settings));
  const members: Member[] = [];
  for (let i = 0; i < residents[extent]; i += 1) members.push(await register(wall));
  await published(members[0]!, 'первая');
  const events = await readEvents(`${wall.servers[0]!.address}/api/v1/events`);
  cleanup.defer(async () => events.close());
  const living = new Residents(members);
  cleanup.defer(() => living.stop());

  const stage: Stage = { wall, clock, events, checks: new Checks() };
  let slowestMailMs = 0;
  for (const wrongBy of settings[extent]) {
    slowestMailMs = Math.max(slowestMailMs, await jump(stage, wrongBy));
    const isTooFar = wrongBy > sessionSeconds;
    await sleep(isTooFar ? longStayMs : stayMs[extent]);
    // When the clock is this far ahead, all sessions have expired. They must exist again when it is set right.
    if (isTooFar) continue;
    for (const member of members) stage.checks.expect(`${wrongBy} s wrong: a renewal`, await renew(member), 200);
  }
  await living.stop();
  const failures = new Responses(
    [...living.responses].filter(([status]) => typeof status !== 'number' || status >= 500),
  );
  return [
    {
      what: `clock × ${settings[extent].length} set under load, ${engine}`,
      measured: failures.toString() || 'none',
      target: 'no response ≥ 500',
      ok: failures.size === 0 && living.responses.has(200),
      detail: living.responses.toString(),
    },
    stage.checks.figure(
      `across a jump of the clock, ${engine}`,
      'limits, codes, idempotency keys, edits, order of posts, sessions',
    ),
    below(
      `mail that waited when the clock was set back, ${engine}`,
      slowestMailMs,
      limitOf(extent, mailWithinMs),
      'slowest, from the time when the mail server accepted it again',
    ),
    nothingLost(
      `posts published with a wrong clock, ${engine}`,
      await auditOpen(wall.db, living.acknowledged),
      members.length,
    ),
  ];
}

/** Sets the clock during everything that it may affect; resolves to the delay of a mail that was waiting. */
async function jump({ wall, clock, events, checks }: Stage, wrongBy: number): Promise<number> {
  const by = wrongBy - clock.wrongBySeconds;
  const expect = (what: string, found: unknown, wanted: unknown): void =>
    checks.expect(`by ${by} s to ${wrongBy} s: ${what}`, found, wanted);

  const eager = await register(wall);
  for (let i = 0; i < postsAMinute; i += 1) await published(eager, randomUUID());
  expect('one post more than a minute allows', await outcome(publish(eager)), [429, 'TOO_MANY_REQUESTS']);
  const writer = await register(wall);
  const [repeated, key] = [randomUUID(), { 'idempotency-key': randomUUID() }];
  const first = await published(writer, repeated, key);
  const newcomer = await startedBy(wall);
  const code = await wall.mail.codeTo(newcomer.email);
  const late = await startedBy(wall, (email) => wall.mail.refuse((to) => (to === email ? tryLater : undefined)));
  while ((await late.mailState()) !== 'delayed') await sleep(checkEveryMs);

  await clock.set(wrongBy, wall.servers);

  const from = performance.now();
  wall.mail.refuse(undefined);
  const isSignedOut = by > sessionSeconds;
  expect('a post after it', await outcome(publish(eager)), isSignedOut ? [401, 'UNAUTHORIZED'] : [201]);
  const verified = await outcome(newcomer.browser.verify('registrations', newcomer.id, code));
  expect('a code', verified, by >= codeSeconds ? [400, 'OPERATION_EXPIRED'] : [200]);
  if (Math.abs(by) < day) expect('a repeat', await published(writer, repeated, key), first);
  const author = isSignedOut ? await register(wall) : writer;
  const newest = await published(author, randomUUID());
  const editing = author.send('PATCH', `/posts/${newest}`, { text: randomUUID() });
  expect('an edit', await outcome(editing), [200]);
  await events.until((received) => received.some(({ changes }) => changes.posts.some((post) => post.id === newest)));
  const { posts } = (await author.send('GET', `/posts?userId=${author.id}`)).json();
  expect('the newest post', posts[0]?.id, newest);

  // A code that has expired is not mailed.
  if (by >= codeSeconds) return 0;
  await wall.mail.codeTo(late.email);
  return performance.now() - from;
}

const publish = (member: Member, text: string = randomUUID(), headers: Record<string, string> = {}) =>
  sendAsApp(member, 'POST', '/posts', { text }, headers);

async function published(...publishing: Parameters<typeof publish>): Promise<string> {
  const response = await publish(...publishing);
  if (response.statusCode !== 201) throw new Error(`a post returned ${response.statusCode} ${response.body}`);
  return response.json().id;
}

interface Newcomer {
  browser: Browser;
  email: string;
  /** The id of the registration. */
  id: string;
  mailState(): Promise<string>;
}

/** A person who has requested a code. */
async function startedBy(wall: WallOverHttp, before: (email: string) => void = () => {}): Promise<Newcomer> {
  const browser = openBrowser(wall);
  const email = newAddress();
  before(email);
  const { id } = (await browser.start('registrations', email)).json() as { id: string };
  const path = `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`;
  return { browser, email, id, mailState: async () => (await browser.send('GET', path)).json().state };
}

/** Counts the checks, and collects those that failed. */
class Checks {
  #count = 0;
  #wrong: string[] = [];

  /** Compares the two values as JSON. */
  expect(what: string, found: unknown, wanted: unknown): void {
    this.#count += 1;
    const [actual, expected] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (actual !== expected) this.#wrong.push(`${what}: ${actual} instead of ${expected}`);
  }

  figure(what: string, detail: string): Figure {
    const all = { target: `0 of ${this.#count}`, enough: this.#count > 0 };
    return none(what, this.#wrong.length, 'wrong', this.#wrong.join('; ') || detail, all);
  }
}
