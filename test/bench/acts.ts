import { openDatabase } from '../../server/db/open-database.ts';
import { newUser, signedIn } from '../kit/signed-in.ts';
import { type Engine, engines } from '../kit/engines.ts';
import { largeWalls, multiplied } from '../measurements/large-walls.ts';
import { count, milliseconds, percentile } from '../measurements/numbers.ts';
import { shuffledIds } from '../measurements/paths.ts';
import { below, type Figure } from '../measurements/report.ts';
import { folderOnDisk, type Servers } from '../measurements/servers.ts';
import type { Scenario } from './scenario.ts';

const times = 300;
const atMostMs = 20;

interface Act {
  name: string;
  method: string;
  path: (id: number) => string;
  body: object;
}

const because = { reason: 'Реклама или спам' };

/** In this order, so that each of them changes something. */
const acts: readonly Act[] = [
  { name: 'close a discussion', method: 'PUT', path: (id) => `/posts/${id}/lock`, body: because },
  { name: 'open it again', method: 'DELETE', path: (id) => `/posts/${id}/lock`, body: because },
  { name: 'slow mode', method: 'PUT', path: (id) => `/posts/${id}/pace`, body: { seconds: 300 } },
  { name: 'remove', method: 'POST', path: (id) => `/posts/${id}/removal`, body: because },
  { name: 'return', method: 'POST', path: (id) => `/posts/${id}/restoration`, body: because },
];

/** How long each act of a moderator takes, one after another, on posts anywhere on the wall. */
export const moderatorsActs: Scenario = {
  name: 'acts',
  async measure({ servers }) {
    const figures: Figure[] = [];
    for (const engine of engines) figures.push(...(await measureOn(engine, servers)));
    return figures;
  },
};

async function measureOn(engine: Engine, servers: Servers): Promise<Figure[]> {
  const place =
    engine === 'sqlite' ? await servers.copy(multiplied) : (await largeWalls(engine, 1, await folderOnDisk()))[0];
  const db = await openDatabase(place, () => {});
  const moderator = await newUser(db, `moderator_${Date.now() % 1e6}`);
  await db.tx((tx) => tx.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator).execute());
  const { token } = await signedIn(db, moderator);
  const roots = await db.read
    .selectFrom('posts')
    .select('id')
    .where('replied_post_id', 'is', null)
    .where('id', 'in', shuffledIds(1, multiplied).slice(0, 3 * times))
    .limit(times)
    .execute();
  await db.close();
  const server = await servers.start(place);
  const figures: Figure[] = [];
  for (const { name, method, path, body } of acts) {
    const taken: number[] = [];
    for (const { id } of roots) {
      const begun = performance.now();
      const response = await fetch(`${server.address}/api/v1/moderation${path(id)}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`);
      taken.push(performance.now() - begun);
    }
    const what = `${name}, p99 at ${count(multiplied)} posts, ${engine}`;
    figures.push(below(what, percentile(taken, 0.99), atMostMs, `p50 ${milliseconds(percentile(taken, 0.5))}`));
  }
  return figures;
}
