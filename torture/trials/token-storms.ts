import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { sessionsPerUser } from '../../server/sessions/rules.ts';
import { newAddress } from '../../test/door.ts';
import { engines } from '../../test/engines.ts';
import { type SignedIn, signedInBrowsers, untilAnswered } from '../kit/browsers.ts';
import { allAtOnce, startMany } from '../kit/codes.ts';
import { type DistantWall, openDistantWall } from '../kit/distant-wall.ts';
import type { Extent, Trial } from '../trial.ts';

const people = { short: 3, whole: 10 };
const rounds = { short: 4, whole: 40 };
const roundsPerKill = 2;
const tabs = 20;
const closings = { short: 5, whole: 50 };
const requestEveryMs = 4;
const aroundClosingMs = 150;
const crowds = { short: 3, whole: 20 };
const signIns = 60;

/** All tabs renew their tokens at once while sessions are closed and servers killed. */
export const tokenStorms: Trial = {
  name: 'token-storms',
  async run(extent) {
    const figures: Figure[] = [];
    for (const engine of engines) {
      const wall = await openDistantWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      try {
        figures.push(
          ...(await storms(wall, extent)),
          await closed(wall, closings[extent]),
          await manySignIns(wall, crowds[extent]),
        );
      } finally {
        await wall.close();
      }
    }
    return figures;
  },
};

async function storms(wall: DistantWall, extent: Extent): Promise<Figure[]> {
  const { engine } = wall.db;
  const owners: SignedIn[] = [];
  const others: SignedIn[][] = [];
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
        const { statusCode } = await untilAnswered(() => renew(owner));
        renewals += 1;
        if (statusCode !== 200) signedOut += 1;
      }),
    );
    const closing = others.map(async (rest, i) => {
      const other = rest.pop();
      if (!other) return;
      await untilAnswered(() => owners[i]!.send('DELETE', `/sessions/${other.sessionId}`));
      const after = await Promise.all(Array.from({ length: tabs }, () => untilAnswered(() => renew(other))));
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
  const storm = `${tabs} tabs of ${owners.length} browsers, ${rounds[extent]} times, ${kills} × kill -9, ${engine}`;
  return [
    {
      what: `renew at once: ${storm}`,
      measured: `${signedOut} signed out`,
      target: `0 of ${count(owners.length * tabs * rounds[extent])}`,
      ok: signedOut === 0 && renewals === owners.length * tabs * rounds[extent],
      detail: `${count(renewals)} renewals through ${wall.servers.length} processes`,
    },
    {
      what: `renew a session closed meanwhile, ${engine}`,
      measured: `${opened} let through`,
      target: '0',
      ok: opened === 0 && tried > 0,
      detail: `${count(tried)} renewals after the answer of the closing`,
    },
  ];
}

const renew = (browser: SignedIn) => browser.send('PATCH', '/sessions/current', { clientToken: browser.clientToken });

/** Rule 11: whoever asks after the answer of the closing is out, whichever process they ask. */
async function closed(wall: DistantWall, times: number): Promise<Figure> {
  let late = 0;
  let after = 0;
  let requests = 0;
  const began = performance.now();
  for (let i = 0; i < times; i += 1) {
    const [owner, other] = (await signedInBrowsers(wall, `closed_${i}`, 2)) as [SignedIn, SignedIn];
    let isClosed = false;
    const answers: Promise<void>[] = [];
    const ask = async (): Promise<void> => {
      const isLate = isClosed;
      requests += 1;
      const { statusCode } = await other.send('GET', '/users/current');
      if (isLate) after += 1;
      if (isLate && statusCode !== 401) late += 1;
    };
    const load = setInterval(() => answers.push(ask()), requestEveryMs);
    await sleep(aroundClosingMs);
    const closing = await owner.send('DELETE', `/sessions/${other.sessionId}`);
    if (closing.statusCode !== 204) throw new Error(`A closing answered ${closing.statusCode} ${closing.body}`);
    isClosed = true;
    await sleep(aroundClosingMs);
    clearInterval(load);
    await Promise.all(answers);
  }
  const perSecond = (requests / (performance.now() - began)) * 1_000;
  return {
    what: `${times} closings under load, ${wall.db.engine}`,
    measured: `${late} let through`,
    target: '0',
    ok: late === 0 && after >= times,
    detail: `${count(requests)} requests (${count(perSecond)}/s), ${count(after)} of them begun after the 204`,
  };
}

/** Again and again, since which sessions one sign-in sees of those beside it is a matter of moments. */
async function manySignIns(wall: DistantWall, times: number): Promise<Figure> {
  const email = newAddress();
  let entered = 0;
  const open: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const started = await startMany(wall, email, signIns);
    const told = await allAtOnce(signIns, (at) => started[at]!.verify(started[at]!.code));
    entered += told.get('200') ?? 0;
    open.push(await sessionsOf(wall, email));
  }
  return {
    what: `${signIns} sign-ins of one person at once, ${times} times, ${wall.db.engine}`,
    measured: `${Math.max(...open)} sessions`,
    target: `${sessionsPerUser}`,
    ok: open.every((sessions) => sessions === sessionsPerUser) && entered === times * signIns,
    detail: `${entered} got in`,
  };
}

async function sessionsOf({ db }: DistantWall, email: string): Promise<number> {
  const sessions = await db.read
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('u.email', '=', email)
    .execute();
  return sessions.length;
}
