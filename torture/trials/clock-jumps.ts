import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { type Browser, newAddress, openBrowser } from '../../test/door.ts';
import { type Engine, engines } from '../../test/engines.ts';
import { type EventReader, readEvents } from '../../test/event-reader.ts';
import { type Member, outcome, register } from '../../test/member.ts';
import { type DistantWall, openDistantWall } from '../kit/distant-wall.ts';
import { Held } from '../kit/held.ts';
import { auditOpen, kept } from '../kit/ledger.ts';
import { Residents } from '../kit/residents.ts';
import { renew, sendAsApp } from '../kit/send-as-app.ts';
import { tally } from '../kit/tally.ts';
import { WrongClock } from '../kit/wrong-clock.ts';
import type { Extent, Trial } from '../trial.ts';

const hour = 3_600;
const day = 24 * hour;
const codeSeconds = 600;
const sessionSeconds = 90 * day;
/** By how much the clock is wrong, one after the other. */
const settings = {
  short: [hour, -hour],
  whole: [hour, -hour, day, 0, 100 * day, 0, -365 * day, 0],
};
const residents = { short: 3, whole: 8 };
const whileMs = { short: 200, whole: 2_000 };
/** What has expired is looked for every minute; it shall be looked for by the wrong clock. */
const longWhileMs = 65_000;
const mailWithinMs = 10_000;
const postsAMinute = 5;
/** As an SMTP server says it. */
const tryLater = 451;
const lookEveryMs = 50;

/** The clock is set wrong and right again while people read, write and sign in. */
export const clockJumps: Trial = {
  name: 'clock-jumps',
  async run(extent) {
    const figures: Figure[] = [];
    for (const engine of engines) figures.push(...(await jumped(engine, extent)));
    return figures;
  },
};

interface Stage {
  wall: DistantWall;
  clock: WrongClock;
  events: EventReader;
  held: Held;
}

async function jumped(engine: Engine, extent: Extent): Promise<Figure[]> {
  await using ending = new AsyncDisposableStack();
  const clock = ending.use(await WrongClock.make());
  const wall = await openDistantWall(engine, clock.settings);
  ending.defer(wall.close);
  const members: Member[] = [];
  for (let i = 0; i < residents[extent]; i += 1) members.push(await register(wall));
  await published(members[0]!, 'первая');
  const events = await readEvents(`${wall.servers[0]!.address}/api/v1/events`);
  ending.defer(async () => events.close());
  const living = new Residents(members);
  ending.defer(() => living.stop());

  const stage: Stage = { wall, clock, events, held: new Held() };
  let slowestMailMs = 0;
  for (const wrongBy of settings[extent]) {
    slowestMailMs = Math.max(slowestMailMs, await jump(stage, wrongBy));
    const isTooFar = wrongBy > sessionSeconds;
    await sleep(isTooFar ? longWhileMs : whileMs[extent]);
    // By a clock so far ahead all sessions have rested too long; when it is set right they must be there again.
    if (isTooFar) continue;
    for (const member of members) stage.held.expect(`${wrongBy} s wrong: a renewal`, await renew(member), 200);
  }
  await living.stop();
  const failures = [...living.answers].filter(([answered]) => typeof answered !== 'number' || answered >= 500);
  return [
    {
      what: `clock × ${settings[extent].length} set under load, ${engine}`,
      measured: tally(new Map(failures)) || 'none',
      target: 'no answer ≥ 500',
      ok: failures.length === 0 && living.answers.has(200),
      detail: tally(living.answers),
    },
    stage.held.figure(`across a jump of the clock, ${engine}`, 'limits, codes, repeats, edits, order, sessions'),
    {
      what: `a mail that waited when the clock was set back, ${engine}`,
      measured: milliseconds(slowestMailMs),
      target: `< ${milliseconds(mailWithinMs)}`,
      ok: slowestMailMs < mailWithinMs,
      detail: 'the slowest, from when its server took it again',
    },
    kept(`published by wrong clocks, ${engine}`, await auditOpen(wall.db, living.acknowledged), members.length),
  ];
}

/** Sets the clock in the middle of everything; resolves to how long a mail took that had waited meanwhile. */
async function jump({ wall, clock, events, held }: Stage, wrongBy: number): Promise<number> {
  const by = wrongBy - clock.wrongBySeconds;
  const expect = (what: string, found: unknown, wanted: unknown): void =>
    held.expect(`by ${by} s to ${wrongBy} s: ${what}`, found, wanted);

  const eager = await register(wall);
  for (let i = 0; i < postsAMinute; i += 1) await published(eager, randomUUID());
  expect('one post more than a minute allows', await outcome(publish(eager)), [429, 'TOO_MANY_REQUESTS']);
  const writer = await register(wall);
  const [repeated, key] = [randomUUID(), { 'idempotency-key': randomUUID() }];
  const first = await published(writer, repeated, key);
  const newcomer = await startedBy(wall);
  const code = await wall.mail.codeTo(newcomer.email);
  const late = await startedBy(wall, (email) => wall.mail.refuse((to) => (to === email ? tryLater : undefined)));
  while ((await late.mailState()) !== 'delayed') await sleep(lookEveryMs);

  await clock.set(wrongBy, wall.servers);

  const from = performance.now();
  wall.mail.refuse(undefined);
  const isOut = by > sessionSeconds;
  expect('a post after it', await outcome(publish(eager)), isOut ? [401, 'UNAUTHORIZED'] : [201]);
  const verified = await outcome(newcomer.browser.verify('registrations', newcomer.id, code));
  expect('a code', verified, by >= codeSeconds ? [400, 'OPERATION_EXPIRED'] : [200]);
  if (Math.abs(by) < day) expect('a repeat', await published(writer, repeated, key), first);
  const author = isOut ? await register(wall) : writer;
  const newest = await published(author, randomUUID());
  const editing = author.send('PATCH', `/posts/${newest}`, { text: randomUUID() });
  expect('an edit', await outcome(editing), [200]);
  await events.until((heard) => heard.some(({ changes }) => changes.posts.some((post) => post.id === newest)));
  const { posts } = (await author.send('GET', `/posts?userId=${author.id}`)).json();
  expect('the newest post', posts[0]?.id, newest);

  // Whose code has died meanwhile gets no mail with it.
  if (by >= codeSeconds) return 0;
  await wall.mail.codeTo(late.email);
  return performance.now() - from;
}

const publish = (member: Member, text: string = randomUUID(), headers: Record<string, string> = {}) =>
  sendAsApp(member, 'POST', '/posts', { text }, headers);

async function published(...publishing: Parameters<typeof publish>): Promise<string> {
  const response = await publish(...publishing);
  if (response.statusCode !== 201) throw new Error(`a post was answered ${response.statusCode} ${response.body}`);
  return response.json().id;
}

interface Newcomer {
  browser: Browser;
  email: string;
  /** Of the registration. */
  id: string;
  mailState(): Promise<string>;
}

/** Somebody who has asked for a code. */
async function startedBy(wall: DistantWall, before: (email: string) => void = () => {}): Promise<Newcomer> {
  const browser = openBrowser(wall);
  const email = newAddress();
  before(email);
  const { id } = (await browser.start('registrations', email)).json() as { id: string };
  const path = `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`;
  return { browser, email, id, mailState: async () => (await browser.send('GET', path)).json().state };
}
