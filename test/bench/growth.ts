import { createClient } from '#client/create-client.ts';
import { count, megabytes, milliseconds, times } from '../measurements/numbers.ts';
import { feedPage, pageAfter, postPath, randomIds, shuffledIds } from '../measurements/paths.ts';
import { below, type Figure } from '../measurements/report.ts';
import { Requests } from '../measurements/requests.ts';
import { runLoad } from '../measurements/run-load.ts';
import { alternate, type Bench, pageConnections, type Scenario, type Side, words } from './rounds.ts';

const small = 10_000;
const big = 1_000_000;
/** More than the server caches, so that a page has left the cache before its next turn. */
const pages = 10_000;
const atMost = 1.3;

/** Compares larger walls with the small one, by lists and posts that are not cached. */
export const wallSize: Scenario = {
  name: 'wall-size',
  async measure(bench) {
    const figures: Figure[] = [];
    for (const posts of [100_000, big]) {
      const few = await side(bench, small, shuffledIds(1, small));
      const many = await side(bench, posts, randomIds(10 * pages, posts));
      const against = `${posts.toLocaleString('en')} posts against 10,000`;
      figures.push(...(await compare(`feed page that is not cached, ${against}`, [few, many], bench)));
      const [one, other] = [onePost(few, small), onePost(many, posts)];
      figures.push(...(await compare(`one post, a random one, ${against}`, [one, other], bench)));
    }
    return figures;
  },
};

const onePost = ({ server }: Side, posts: number): Side => ({
  server,
  requests: new Requests((posts === small ? shuffledIds(1, small) : randomIds(10 * pages, posts)).map(postPath)),
});

export const depth: Scenario = {
  name: 'depth',
  async measure(bench) {
    const top = await side(bench, big, shuffledIds(big - pages, big));
    const bottom = await side(bench, big, shuffledIds(1, pages));
    return compare('feed page by cursor, the bottom of 1,000,000 posts against the top', [top, bottom], bench);
  },
};

async function side({ servers }: Bench, posts: number, ids: number[]): Promise<Side> {
  const server = await servers.demo(posts);
  return { server, requests: new Requests(ids.map(pageAfter)) };
}

async function compare(what: string, sides: [Side, Side], { seconds }: Bench): Promise<Figure[]> {
  const [light, heavy] = await alternate(sides, seconds);
  const factor = light.perSecond / heavy.perSecond;
  return [below(what, factor, atMost, `${words(heavy)} against ${words(light)}`, times)];
}

const deepestPage = 100_000;
/** More than the run requests: a page must not be requested twice, because then it is cached. */
const deepPages = 20_000;
const deepPageUnderMs = 20;

/** Pages far down, addressed by their number. */
export const deepPage: Scenario = {
  name: 'deep-page',
  async measure({ servers, seconds }) {
    const { address, port } = await servers.demo(big);
    // Only root posts are in the feed, so that page exists only if pages are short.
    const { total } = await createClient({ baseUrl: address })('GET /posts', { query: { limit: '1' } });
    const limit = Math.floor(total / deepestPage);
    const numbers = Array.from({ length: deepPages }, (_, i) => deepestPage - i);
    const requests = new Requests(numbers.map((page) => `/api/v1/posts?page=${page}&limit=${limit}`));
    const { p50Ms, p99Ms, maxMs } = await runLoad({ port, requests, seconds, connections: 1 });
    const range = `${deepestPage - deepPages + 1}–${deepestPage}`;
    return [
      below(
        `page=${deepestPage} without a cursor, 1,000,000 posts`,
        p99Ms,
        deepPageUnderMs,
        `p99 of pages ${range} by ${limit}, one at a time; p50 ${milliseconds(p50Ms)}, max ${milliseconds(maxMs)}`,
      ),
    ];
  },
};

const visitedIds = 20_000;
const memoryUnder = 240e6;

/** Paths that are requested in turn. */
const visits = [() => feedPage, () => '/', postPath, (id: number) => `/posts/${id}`, pageAfter];

/** Runs last, after everything else that its server has to do. */
export const memory: Scenario = {
  name: 'memory',
  async measure({ servers, seconds }) {
    const server = await servers.demo(big);
    const ids = randomIds(visitedIds, big);
    const requests = new Requests(ids.map((id, i) => visits[i % visits.length]!(id)));
    const result = await runLoad({ port: server.port, requests, seconds: 5 * seconds, connections: pageConnections });
    const { memoryBytes } = await server.usage();
    return [
      below(
        'memory (RSS) at 1,000,000 posts after the run',
        memoryBytes,
        memoryUnder,
        `after ${count(result.count)} mixed requests, pages and JSON`,
        megabytes,
      ),
    ];
  },
};
