import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { demoWall } from '../measurements/demo-wall.ts';
import { publishing, replying, Requests } from '../measurements/requests.ts';
import { randomIds } from '../measurements/paths.ts';
import { againstRaw, posts } from './reading.ts';
import { cpuTimes } from './rounds.ts';
import type { Scenario } from './scenario.ts';

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
async function rootsOfThreads(atLeast: number, atMost = atLeast): Promise<number[]> {
  const database = openDemo((await demoWall(posts)).dataDir);
  const rows = database
    .prepare(
      `select p.id from posts p where p.replied_post_id is null and p.thread_count between ? and ?
       order by (select max(depth) from posts r where r.parent_post_id = p.id) desc, p.id limit 150`,
    )
    .all(atLeast, atMost);
  database.close();
  return rows.map(({ id }) => Number(id));
}

const openDemo = (dataDir: string) => new DatabaseSync(join(dataDir, 'stena.sqlite'));

const many = 200_000;
/** More than are read as a whole: small discussions take half the time. */
const few = 200;

export const threadSize: Scenario = {
  name: 'thread-size',
  async measure({ servers, seconds }) {
    const place = await servers.copy(10_000);
    const database = openDemo(place.dataDir);
    const { id: first } = database.prepare('select max(id) + 1 as id from posts').get() as { id: number };
    const smallOnes = many / few;
    database.exec(`
      with recursive n (i) as (select 0 union all select i + 1 from n where i < ${smallOnes})
      insert into posts (id, user_id, text, created_at, depth, replies_count, thread_count)
      select ${first} + i, 1, 'Кто что думает?', 1, 0, iif(i = 0, ${many}, ${few}), iif(i = 0, ${many}, ${few}) from n;
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 2 * ${many} - 1)
      insert into posts (user_id, text, created_at, depth, parent_post_id, replied_post_id)
      select 1, 'Ответ ' || i, 1, 1, root, root
      from (select i, iif(i < ${many}, ${first}, ${first} + 1 + (i - ${many}) / ${few}) as root from n);
      analyze`);
    const { lowest } = database.prepare('select min(id) as lowest from posts where replied_post_id = ?').get(first) as {
      lowest: number;
    };
    database.close();
    const server = await servers.start(place);
    const cursor = (id: number): string => `?cursor=c${id.toString(36)}`;
    // A page from each of many places, so that nothing is cached.
    const places = randomIds(many, many - 1);
    const smallPaths = places.map((i) => threadPath(first + 1 + Math.floor(i / few), cursor(lowest + many + i)));
    const largePaths = places.map((i) => threadPath(first, cursor(lowest + i)));
    const small = { server, requests: new Requests(smallPaths) };
    const large = { server, requests: new Requests(largePaths) };
    return [await cpuTimes('discussion of 200,000 replies against one of 200', [small, large], seconds, 1.3)];
  },
};

const depth = 11;

export const replyDepth: Scenario = {
  name: 'reply-depth',
  async measure({ servers, seconds }) {
    const { server, people, place } = await servers.writable(posts, 16);
    const database = openDemo(place.dataDir);
    // One post of each discussion, and one person who replies: with several people each reply would also notify the others.
    const deep = database
      .prepare('select min(id) as id from posts where depth = ? group by parent_post_id order by 1 limit 64')
      .all(depth);
    database.close();
    const tokens = people.map(({ token }) => token);
    const ids = deep.map(({ id }) => Number(id));
    const root = { server, requests: publishing(tokens) };
    const reply = { server, requests: replying(tokens, ids) };
    return [await cpuTimes('a reply at depth 12 against a root post', [root, reply], seconds, 1.5)];
  },
};
