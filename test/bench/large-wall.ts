import { DatabaseSync } from 'node:sqlite';
import { sqliteFile } from '../../server/db/open-database.ts';
import { demoWall } from '../measurements/demo-wall.ts';
import { multiplied } from '../measurements/large-walls.ts';
import { count, median, milliseconds, times } from '../measurements/numbers.ts';
import { pageAfter, randomIds, shuffledIds } from '../measurements/paths.ts';
import { below, type Figure } from '../measurements/report.ts';
import { Requests } from '../measurements/requests.ts';
import { type LoadResult, runLoad } from '../measurements/run-load.ts';
import type { Engine } from '../kit/engines.ts';
import type { Bench, Scenario } from './scenario.ts';
import { kinds, sampledTexts, searchPaths } from './search.ts';

/** More than the server caches, so that a page has left the cache before its next turn. */
const pages = 20_000;
const connections = 4;
const rounds = 3;
const atMost = 1.5;

interface Reading {
  name: string;
  /** The addresses on a wall that consists of so many copies of the demo wall. */
  paths(copies: number): string[];
}

const scenario = (name: string, engine: Engine): Scenario => ({
  name,
  async measure({ servers, seconds, copies }) {
    const [small, large] = await servers.large(engine, copies);
    const texts = await sampledTexts(small.address);
    const searches = kinds.map((kind) => ({ name: `search for ${kind.name}`, paths: () => searchPaths(kind, texts) }));
    const figures: Figure[] = [];
    for (const { name: what, paths } of [...(await readings()), ...searches]) {
      const [few, many] = await inTurn(
        [
          [small.port, paths(1)],
          [large.port, paths(copies)],
        ],
        seconds,
      );
      figures.push(
        below(
          `${what}, p99 at ${count(copies * multiplied)} posts against ${count(multiplied)}, ${engine}`,
          many.p99Ms / few.p99Ms,
          atMost,
          `${words(many)} against ${words(few)}`,
          times,
        ),
      );
    }
    return figures;
  },
});

export const largeWall = scenario('large-wall', 'sqlite');
export const largeWallPostgres = scenario('large-wall-postgres', 'postgres');

type Middle = Pick<LoadResult, 'p50Ms' | 'p99Ms'>;

const words = ({ p50Ms, p99Ms }: Middle): string => `${milliseconds(p99Ms)} (p50 ${milliseconds(p50Ms)})`;

async function inTurn(
  sides: [[port: number, paths: string[]], [port: number, paths: string[]]],
  seconds: Bench['seconds'],
): Promise<[Middle, Middle]> {
  const measured: [LoadResult[], LoadResult[]] = [[], []];
  const requests = sides.map(([, paths]) => new Requests(paths));
  for (let round = 0; round <= rounds; round += 1) {
    for (const i of [0, 1] as const) {
      const result = await runLoad({ port: sides[i][0], requests: requests[i]!, seconds, connections });
      // In the first round code and statements are compiled.
      if (round > 0) measured[i].push(result);
    }
  }
  const middle = (results: readonly LoadResult[]): Middle => ({
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  });
  return [middle(measured[0]), middle(measured[1])];
}

/** Nothing that they ask for is cached. */
async function readings(): Promise<Reading[]> {
  const { dataDir } = await demoWall(multiplied);
  const database = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
  /** Root posts in the order of a hash: spread over the wall. */
  const rootPosts = (condition: string): Array<{ id: number; userId: number }> =>
    database
      .prepare(
        `select p.id, p.user_id as "userId" from posts p join users u on u.id = p.user_id
         where p.replied_post_id is null and ${condition} order by p.id * 2654435761 % 4294967296 limit ${pages}`,
      )
      .all() as Array<{ id: number; userId: number }>;
  const discussed = rootPosts('p.thread_count between 5 and 50');
  const byAuthors = rootPosts('u.posts_count >= 200');
  database.close();
  /** The number that is added to an id to have the same post in a random copy. */
  const shifts = (copies: number): number[] => randomIds(pages, copies).map((copy) => (copy - 1) * multiplied);
  return [
    {
      name: 'newest pages of the feed',
      paths: (copies) => shuffledIds(copies * multiplied - pages, copies * multiplied).map(pageAfter),
    },
    {
      name: 'pages anywhere in the feed',
      paths: (copies) => randomIds(pages, copies * multiplied).map(pageAfter),
    },
    {
      name: 'discussions of 5 to 50 replies',
      paths(copies) {
        const added = shifts(copies);
        return discussed.map(({ id }, i) => `/api/v1/posts/${id + added[i]!}/thread`);
      },
    },
    {
      name: 'pages of authors',
      paths(copies) {
        const added = shifts(copies);
        return byAuthors.map(({ id, userId }, i) => `${pageAfter(id + added[i]!)}&userId=${userId}`);
      },
    },
  ];
}
