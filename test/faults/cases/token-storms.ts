import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { sessionsPerUser } from '../../../server/features/sessions/rules.ts';
import { type Browser, newAddress, openBrowser } from '../../kit/sign-in.ts';
import { newUser, signedIn } from '../../kit/signed-in.ts';
import { allAtOnce, sessionsOf, type Started, startMany } from '../kit/codes.ts';
import { type WallOverHttp, openWallOverHttp, untilAvailable } from '../kit/wall-over-http.ts';
import { type Extent, type Fault, onEachEngine } from '../fault.ts';

const people = { short: 3, whole: 10 };
const rounds = { short: 4, whole: 40 };
const roundsPerKill = 2;
const tabs = 20;
const closings = { short: 5, whole: 50 };
const requestEveryMs = 4;
const aroundClosingMs = 150;
const afterClosing = 10;
const crowds = { short: 2, whole: 20 };
const signIns = 60;
const pauseMs = 20;

/** All tabs renew their tokens at once while sessions are closed and servers are killed. */
export const tokenStorms: Fault = {
  name: 'token-storms',
  run: (extent) =>
    onEachEngine(async (engine) => {
      await using wall = await openWallOverHttp(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      return [
        ...(await storms(wall, extent)),
        await closed(wall, closings[extent]),
        await manySignIns(wall, crowds[extent]),
      ];
    }),
};

async function storms(wall: WallOverHttp, extent: Extent): Promise<Figure[]> {
  const { engine } = wall.db;
  const owners: SignedInBrowser[] = [];
  const others: SignedInBrowser[][] = [];
  for (let i = 0; i < people[extent]; i += 1) {
    const [owner, ...rest] = await signedInBrowsers(wall, `storm_${i}`, sessionsPerUser);
    owners.push(owner!);
    others.push(rest);
  }
  let renewals = 0;
  let signedOut = 0;
  let kills = 0;
  let opened = 0;
  let tried = 0;
  for (let round = 0; round < rounds[extent]; round += 1) {
    const renewing = owners.flatMap((owner) =>
      Array.from({ length: tabs }, async () => {
        const { statusCode } = await untilAvailable(() => renew(owner));
        renewals += 1;
        if (statusCode !== 200) signedOut += 1;
      }),
    );
    const closing = others.map(async (rest, i) => {
      const other = rest.pop();
      if (!other) return;
      await untilAvailable(() => owners[i]!.send('DELETE', `/sessions/${other.sessionId}`));
      const after = await Promise.all(Array.from({ length: tabs }, () => untilAvailable(() => renew(other))));
      tried += after.length;
      opened += after.filter(({ statusCode }) => statusCode !== 401).length;
    });
    if (round % roundsPerKill === 1) {
      await sleep(Math.random() * 20);
      await wall.replace(kills % wall.servers.length);
      kills += 1;
    }
    await Promise.all([...renewing, ...closing]);
  }
  const expected = owners.length * tabs * rounds[extent];
  const storm = `${tabs} tabs of ${owners.length} browsers, ${rounds[extent]} times, ${kills} × kill -9, ${engine}`;
  return [
    none(
      `renew at once: ${storm}`,
      signedOut,
      'signed out',
      `${count(renewals)} renewals through ${wall.servers.length} processes`,
      { target: `0 of ${count(expected)}`, enough: renewals === expected },
    ),
    none(
      `renew a session closed meanwhile, ${engine}`,
      opened,
      'let through',
      `${count(tried)} renewals after the session was closed`,
      { enough: tried > 0 },
    ),
  ];
}

const renew = (browser: SignedInBrowser) =>
  browser.send('PATCH', '/sessions/current', { clientToken: browser.clientToken });

/** Rule 11: a request that begins after a session was closed is rejected by every process. */
async function closed(wall: WallOverHttp, times: number): Promise<Figure> {
  let late = 0;
  let after = 0;
  let requests = 0;
  const began = performance.now();
  for (let i = 0; i < times; i += 1) {
    const [owner, other] = (await signedInBrowsers(wall, `closed_${i}`, 2)) as [SignedInBrowser, SignedInBrowser];
    let isClosed = false;
    const responses: Promise<void>[] = [];
    const ask = async (): Promise<void> => {
      const isLate = isClosed;
      requests += 1;
      const { statusCode } = await other.send('GET', '/users/current');
      if (isLate) after += 1;
      if (isLate && statusCode !== 401) late += 1;
    };
    const load = setInterval(() => responses.push(ask()), requestEveryMs);
    await sleep(aroundClosingMs);
    const closing = await owner.send('DELETE', `/sessions/${other.sessionId}`);
    if (closing.statusCode !== 204) throw new Error(`Closing a session returned ${closing.statusCode} ${closing.body}`);
    isClosed = true;
    for (let sent = 0; sent < afterClosing; sent += 1) await ask();
    clearInterval(load);
    await Promise.all(responses);
  }
  const perSecond = (requests / (performance.now() - began)) * 1_000;
  const detail = `${count(requests)} requests (${count(perSecond)}/s), ${count(after)} of them after the 204`;
  return none(`${times} closings under load, ${wall.db.engine}`, late, 'let through', detail, {
    enough: after >= times * afterClosing,
  });
}

/** Repeated, because it depends on timing which of the simultaneous sessions a sign-in sees. */
async function manySignIns(wall: WallOverHttp, times: number): Promise<Figure> {
  const email = newAddress();
  let entered = 0;
  const open: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const started = await startMany(wall, email, signIns);
    const outcomes = await allAtOnce(signIns, (at) => enter(started[at]!));
    entered += outcomes.get('200') ?? 0;
    open.push(await sessionsOf(wall, email));
  }
  return {
    what: `${signIns} sign-ins of one person at once, ${times} times, ${wall.db.engine}`,
    measured: `${Math.max(...open)} sessions`,
    target: `${sessionsPerUser}`,
    ok: open.every((sessions) => sessions === sessionsPerUser) && entered === times * signIns,
    detail: `${entered} signed in`,
  };
}

/** An overloaded process rejects a request before it looks at the code. */
async function enter({ verify, code }: Started): Promise<string> {
  for (;;) {
    const outcome = await verify(code);
    if (outcome !== 'UNAVAILABLE') return outcome;
    await sleep(pauseMs);
  }
}

interface SignedInBrowser extends Browser {
  sessionId: number;
}

/** Browsers of one person, with sessions written straight to the database. */
async function signedInBrowsers(
  { db, ...wall }: WallOverHttp,
  username: string,
  many: number,
): Promise<SignedInBrowser[]> {
  const userId = await newUser(db, username);
  const browsers: SignedInBrowser[] = [];
  for (let i = 0; i < many; i += 1) {
    const browser = openBrowser(wall);
    const { sessionId, cookie, token } = await signedIn(db, userId, browser);
    browser.cookies.set('session', cookie);
    browsers.push(Object.assign(browser, { sessionId, token }));
  }
  return browsers;
}
