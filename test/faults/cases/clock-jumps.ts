import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { type Figure, none } from '../../measurements/report.ts';
import type { Engine } from '../../kit/engines.ts';
import { type EventReader, readEvents } from '../../kit/event-reader.ts';
import { type Member, outcome, register } from '../../kit/member.ts';
import { type Browser, newAddress, openBrowser } from '../../kit/sign-in.ts';
import { auditOpen, nothingLost } from '../kit/audit.ts';
import { Loops, Responses } from '../kit/load.ts';
import { preload } from '../kit/loaded-wall.ts';
import { type WallOverHttp, openWallOverHttp } from '../kit/wall-over-http.ts';
import { type Extent, type Fault, onEachEngine, until, within } from '../fault.ts';

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
/** Enough to reach the limit of posts at once, however slowly they are written. */
const manyPosts = 100;
/** SMTP status of a temporary failure. */
const tryLater = 451;
const checkEveryMs = 50;
const publishEvery = 40;

/** The clock is set wrong and right again while people read, write and sign in. */
export const clockJumps: Fault = {
  name: 'clock-jumps',
  run: (extent) => onEachEngine((engine) => jumped(engine, extent)),
};

interface Stage {
  wall: WallOverHttp;
  /** The error of the clock. */
  wrongBySeconds: number;
  events: EventReader;
  checks: Checks;
}

async function jumped(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const wall = cleanup.use(await openWallOverHttp(engine, preload({ WRONG_CLOCK: 'yes' })));
  const members: Member[] = [];
  for (let i = 0; i < residents[extent]; i += 1) members.push(await register(wall));
  await published(members[0]!, 'первая');
  const events = await readEvents(`${wall.servers[0]!.address}/api/v1/events`);
  cleanup.defer(async () => events.close());
  const living = new Residents(members);
  cleanup.defer(() => living.stop());

  const stage: Stage = { wall, wrongBySeconds: 0, events, checks: new Checks() };
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
  const all = living.responses;
  const failed = [...all.keys()].filter((status) => typeof status !== 'number' || status >= 500);
  const waited = 'slowest, from the time when the mail server accepted it again';
  const found = await auditOpen(wall.db, living.acknowledged);
  return [
    none(
      `clock × ${settings[extent].length} set under load, ${engine}`,
      failed.length,
      'statuses ≥ 500',
      all.toString(),
      {
        enough: all.has(200),
      },
    ),
    stage.checks.figure(`across a jump of the clock, ${engine}`),
    within(extent, `mail that waited when the clock was set back, ${engine}`, slowestMailMs, mailWithinMs, waited),
    nothingLost(`posts published with a wrong clock, ${engine}`, found, members.length),
  ];
}

/** Sets the clock during everything that it may affect; resolves to the delay of a mail that was waiting. */
async function jump(stage: Stage, wrongBy: number): Promise<number> {
  const { wall, events, checks } = stage;
  const by = wrongBy - stage.wrongBySeconds;
  const expect = (what: string, found: unknown, wanted: unknown): void =>
    checks.expect(`by ${by} s to ${wrongBy} s: ${what}`, found, wanted);

  const eager = await register(wall);
  let last: [number, string?] = [201];
  for (let i = 0; i < manyPosts && last[0] === 201; i += 1) last = await outcome(publish(eager));
  expect('more posts than the limit allows', last, [429, 'TOO_MANY_REQUESTS']);
  const writer = await register(wall);
  const [repeated, key] = [randomUUID(), { 'idempotency-key': randomUUID() }];
  const first = await published(writer, repeated, key);
  const newcomer = await startedBy(wall);
  const code = await wall.mail.codeTo(newcomer.email);
  const late = await startedBy(wall, (email) => wall.mail.refuse((to) => (to === email ? tryLater : undefined)));
  await until(async () => (await late.mailState()) === 'delayed', { everyMs: checkEveryMs });

  for (const { child } of wall.servers) {
    child.send(wrongBy);
    // Any message is answered, when it has been handled.
    await once(child, 'message');
  }
  stage.wrongBySeconds = wrongBy;

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

  figure(what: string): Figure {
    const all = { target: `0 of ${this.#count}`, enough: this.#count > 0 };
    return none(what, this.#wrong.length, 'wrong', this.#wrong.join('; '), all);
  }
}

/** People who read, like and sometimes publish, at about the rate that the limits allow. */
class Residents extends Loops {
  readonly responses = new Responses();
  /** Acknowledged texts by id. */
  readonly acknowledged = new Map<string, string>();

  constructor(members: readonly Member[]) {
    super();
    const acting = members.map((member) => {
      let i = 0;
      return () => this.#act(member, i++);
    });
    this.begin(acting, checkEveryMs);
  }

  async #act(member: Member, i: number): Promise<void> {
    await this.#send(member, 'GET', '/posts?limit=20');
    await this.#send(member, i % 2 === 0 ? 'POST' : 'DELETE', '/posts/1/likes');
    if (i % publishEvery !== 0) return;
    const text = `${member.username} живёт здесь ${i}`;
    const response = await this.#send(member, 'POST', '/posts', { text });
    if (response.statusCode === 201) this.acknowledged.set(response.json().id, text);
  }

  async #send(member: Member, ...request: Parameters<Member['send']>): Promise<LightMyRequestResponse> {
    const response = await sendAsApp(member, ...request);
    this.responses.add(response.statusCode);
    return response;
  }
}

/** Sends as the web app does: after a 401 it renews the token and sends the request once more. */
async function sendAsApp(member: Member, ...request: Parameters<Member['send']>): Promise<LightMyRequestResponse> {
  const response = await member.send(...request);
  return response.statusCode === 401 && (await renew(member)) === 200 ? member.send(...request) : response;
}

/** Resolves to the status. */
async function renew(member: Member): Promise<number> {
  const response = await member.send('PATCH', '/sessions/current', { clientToken: member.clientToken });
  if (response.statusCode === 200) member.token = response.json().accessToken.token;
  return response.statusCode;
}
