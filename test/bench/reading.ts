import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../server/db/open-database.ts';
import { demoWall } from '../measurements/demo-wall.ts';
import { discussedPage, feedPage, pageAfter, postPath, randomIds, shuffledIds } from '../measurements/paths.ts';
import { atLeast } from '../measurements/report.ts';
import { Requests } from '../measurements/requests.ts';
import type { StorageSettings } from '../kit/engines.ts';
import { signedIn } from '../kit/signed-in.ts';
import { rawServer } from './raw.ts';
import { alternate, type Scenario, words } from './rounds.ts';

const posts = 100_000;
const maxCaptured = 64;

interface Reading {
  name: string;
  what: string;
  /** Smallest ratio to the rate of the raw server. */
  atLeast: number;
  paths: () => string[] | Promise<string[]>;
  /** Posts of the wall, 100,000 unless given. */
  size?: number;
  /** Headers of the requests; without them the requests are those of visitors. */
  headers?: () => Promise<Record<string, string>>;
}

/** The app against a bare node:http server that sends the same bytes. */
const againstRaw = ({
  name,
  what,
  atLeast: target,
  paths: makePaths,
  size = posts,
  headers: makeHeaders,
}: Reading): Scenario => ({
  name,
  async measure({ servers, seconds }) {
    const paths = await makePaths();
    const headers = (await makeHeaders?.()) ?? {};
    const app = await servers.demo(size);
    const requests = new Requests(paths, headers);
    const raw = await rawServer(app.address, paths.slice(0, maxCaptured), headers);
    const [bare, ours] = await alternate(
      [
        { server: raw, requests },
        { server: app, requests },
      ],
      seconds,
    );
    await raw.stop();
    const detail = `${words(ours)}; raw ${words(bare)}`;
    return [atLeast(what, ours.perSecond / bare.perSecond, target, '× raw', detail)];
  },
});

export const feedJson = againstRaw({
  name: 'feed-json',
  what: 'feed page, JSON',
  atLeast: 0.75,
  paths: () => [feedPage],
});

export const feedHtml = againstRaw({
  name: 'feed-html',
  what: 'feed page, HTML',
  atLeast: 0.7,
  paths: () => ['/'],
});

export const onePost = againstRaw({
  name: 'one-post',
  what: 'one post, a random one, JSON',
  atLeast: 0.33,
  paths: () => randomIds(posts, posts).map(postPath),
});

export const randomCursor = againstRaw({
  name: 'random-cursor',
  what: 'feed page that is not cached, JSON',
  atLeast: 0.15,
  paths: () => shuffledIds(1, posts).map(pageAfter),
});

export const discussedJson = againstRaw({
  name: 'discussed-json',
  what: 'discussed posts, JSON',
  atLeast: 0.7,
  paths: () => [discussedPage],
});

const million = 1_000_000;

export const discussedUncached = againstRaw({
  name: 'discussed-uncached',
  what: 'discussed posts of a wall of 1,000,000 posts, not cached, JSON',
  atLeast: 0.09,
  size: million,
  paths: () => shuffledIds(million / 2, million).map((id) => `${discussedPage}&cursor=c${id.toString(36)}`),
});

/** The feed of a person who likes some of its posts. Every request checks the session. */
export const signedInFeed = againstRaw({
  name: 'signed-in-feed',
  what: 'feed page of a signed-in person, JSON',
  atLeast: 0.45,
  paths: () => [feedPage],
  async headers() {
    const storage = await demoWall(posts);
    const db = await openDatabase(storage, () => {});
    const { token } = await signedIn(db, likerOfNewest(storage));
    await db.close();
    return { authorization: `Bearer ${token}` };
  },
});

/** The person who likes most of the newest ten root posts. */
function likerOfNewest({ dataDir }: StorageSettings): number {
  const database = openDemo(dataDir);
  const row = database
    .prepare(
      `select user_id from likes
       where post_id in (select id from posts where replied_post_id is null order by id desc limit 10)
       group by user_id order by count(*) desc, user_id limit 1`,
    )
    .get();
  database.close();
  return Number(row?.['user_id'] ?? 1);
}

const replies = 30;
const threadPath = (id: number, query = ''): string => `/api/v1/posts/${id}/thread${query}`;

export const threadJson = againstRaw({
  name: 'thread-json',
  what: `discussion of ${replies} replies, JSON`,
  atLeast: 0.7,
  paths: async () => [threadPath((await rootsOfThreads(replies))[0]!)],
});

export const threadHtml = againstRaw({
  name: 'thread-html',
  what: `discussion of ${replies} replies, HTML`,
  atLeast: 0.65,
  paths: async () => [`/posts/${(await rootsOfThreads(replies))[0]!}`],
});

/**
 * The first pages of discussions, by cursors newer than any reply. There are more than the keys that the cache tracks, so
 * nothing is cached, as when each discussion of a large wall is opened now and then.
 */
export const threadUncached = againstRaw({
  name: 'thread-uncached',
  what: `discussion of some ${replies} replies that is not cached, JSON`,
  atLeast: 0.09,
  async paths() {
    const roots = await rootsOfThreads(replies - 5, replies + 5);
    const cursors = Array.from(
      { length: 20_000 / roots.length },
      (_, i) => `?cursor=c${(10 * posts + i).toString(36)}`,
    );
    return cursors.flatMap((cursor) => roots.map((id) => threadPath(id, `${cursor}&limit=50`)));
  },
});

/** Root posts with so many replies in their discussion, those with the deepest one first. */
async function rootsOfThreads(min: number, max = min): Promise<number[]> {
  const database = openDemo((await demoWall(posts)).dataDir);
  const rows = database
    .prepare(
      `select p.id from posts p where p.replied_post_id is null and p.thread_count between ? and ?
       order by (select max(depth) from posts r where r.parent_post_id = p.id) desc, p.id limit 150`,
    )
    .all(min, max);
  database.close();
  return rows.map(({ id }) => Number(id));
}

export const openDemo = (dataDir: string) => new DatabaseSync(join(dataDir, 'stena.sqlite'), { readOnly: true });
