import { milliseconds } from '../format.ts';
import { httpGet } from '../http-get.ts';
import { Requests } from '../load/requests.ts';
import { runLoad } from '../load/run-load.ts';
import type { Scenario } from '../scenario.ts';

const posts = 1_000_000;
const page = 100_000;
/** More than the run asks for: a page that comes round again would be held in memory. */
const pages = 20_000;
const under = 20;

/** A page far down, named by its number alone. */
export const deepPage: Scenario = {
  name: 'deep-page',
  async measure({ servers, seconds }) {
    const { port } = await servers.app(posts);
    const limit = await longestLimit(port);
    const requests = new Requests(pages, (i) => `/api/v1/posts?page=${page - i}&limit=${limit}`);
    const { p50Ms, p99Ms, maxMs } = await runLoad({ port, requests, seconds, connections: 1 });
    return [
      {
        what: `page=${page} without a cursor, 1,000,000 posts`,
        measured: milliseconds(p99Ms),
        target: `< ${under} ms`,
        ok: p99Ms < under,
        detail: `p99 of pages ${page - pages + 1}–${page} by ${limit}, one at a time; p50 ${milliseconds(p50Ms)}, longest ${milliseconds(maxMs)}`,
      },
    ];
  },
};

/** Only root posts stand in the feed, so that page exists with short pages alone. */
async function longestLimit(port: number): Promise<number> {
  const { body } = await httpGet(port, '/api/v1/posts?limit=1');
  const { total } = JSON.parse(body.toString()) as { total: number };
  return Math.floor(total / page);
}
