import { createClient } from '#client/create-client.ts';
import { createPost, listPosts } from '#contract/posts.ts';
import { count } from '../../measurements/numbers.ts';
import { below, type Figure, none } from '../../measurements/report.ts';
import { freshPlace, type Place } from '../../kit/engines.ts';
import { lacksPgbouncer, type PoolerSettings, startPgbouncer } from '../../kit/pgbouncer.ts';
import { startServer } from '../../kit/server-process.ts';
import { shownPost } from '../../kit/shown-post.ts';
import { signedInPeople } from '../../measurements/people.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { quietly, twoBusyProcesses } from '../kit/busy-processes.ts';
import { type Extent, type Fault, hangsAfterMs, limitOf } from '../fault.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const writers = 8;
const writingMs = { short: 0, whole: 10_000 };
const atLeast = { short: 10, whole: 500 };
const crossings = { short: 5, whole: 100 };
const crossesWithinMs = 1_000;

/** Poolers that share connections between clients, in the ways PgBouncer can hand them out. */
const sharing: Record<Extent, PoolerSettings[]> = {
  short: [{ mode: 'transaction', size: 5 }],
  whole: [
    { mode: 'transaction', size: 1 },
    { mode: 'transaction', size: 2, roundRobin: true },
    { mode: 'transaction', size: 3, roundRobin: true },
    { mode: 'transaction', size: 20 },
    { mode: 'transaction', size: 20, roundRobin: true },
    { mode: 'statement', size: 5 },
  ],
};
const refusals = { short: 1, whole: 5 };

/** A PgBouncer between the wall and PostgreSQL: with sessions everything works, otherwise the start is refused. */
export const pooler: Fault = {
  name: 'pooler',
  lacks: lacksPgbouncer,
  async run(extent) {
    await using fresh = await freshPlace('postgres');
    return [...(await withSessions(fresh.place, extent)), await refused(fresh.place, extent)];
  },
};

async function withSessions(place: Place, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const people = await signedInPeople(place, writers + 1);
  const { url } = cleanup.use(await startPgbouncer(place.databaseUrl!, { mode: 'session', size: 40 }));
  const { addresses, wall } = await twoBusyProcesses(cleanup, { ...place, databaseUrl: url }, people.slice(1));
  await sleep(writingMs[extent]);
  await wall.reached(atLeast[extent]);
  await wall.stopWriting();
  const times: number[] = [];
  for (let i = 0; i < crossings[extent]; i += 1)
    times.push(await crossing(addresses[i % 2]!, addresses[(i + 1) % 2]!, people[0]!.token));
  await wall.stop();
  const others = wall.responses.except(201);
  return [
    nothingLost('two processes through PgBouncer (session)', await audit(place, wall.acknowledged), atLeast[extent]),
    none('responses to writes through PgBouncer', others.size, 'other outcomes', wall.responses.toString(), {
      target: '201',
    }),
    wall.receivedAll('events through PgBouncer'),
    below(
      'a post of one process in the cached feed of the other',
      Math.max(...times),
      limitOf(extent, crossesWithinMs),
      `slowest of ${times.length}, both ways`,
    ),
  ];
}

/** Resolves to the milliseconds until the feed of another process, which it has cached, shows a post. */
async function crossing(from: string, to: string, token: string): Promise<number> {
  const read = createClient({ baseUrl: to });
  const feed = async () => (await read(listPosts, {})).posts;
  for (let i = 0; i < 3; i += 1) await feed();
  const text = `через ${from}, ${performance.now()}`;
  const { id } = shownPost(await createClient({ baseUrl: from, token })(createPost, { body: { text } }));
  const began = performance.now();
  while ((await feed()).every((post) => post.id !== id)) {
    if (performance.now() - began > hangsAfterMs) return Infinity;
    await sleep(2);
  }
  return performance.now() - began;
}

async function refused(place: Place, extent: Extent): Promise<Figure> {
  const wrong: string[] = [];
  let starts = 0;
  for (const how of sharing[extent]) {
    await using started = await startPgbouncer(place.databaseUrl!, how);
    for (let i = 0; i < refusals[extent]; i += 1) {
      starts += 1;
      const message = await startServer({ ...place, databaseUrl: started.url }, quietly).then(
        async (server) => {
          await server.stop();
          return 'started';
        },
        (error: Error) => error.message,
      );
      const line = message.replace('The server did not start:\n', '');
      if (!/^DATABASE_URL: a pooler \(pool_mode = transaction or statement\) [^\n]+\n$/.test(line))
        wrong.push(`${JSON.stringify(how)}: ${line}`);
    }
  }
  return none(
    'starts through a PgBouncer that shares connections',
    wrong.length,
    'not refused in one line',
    wrong[0] ?? count(starts),
    {
      enough: starts > 0,
    },
  );
}
