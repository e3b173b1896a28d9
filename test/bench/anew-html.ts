import { microseconds } from '../figures/numbers.ts';
import { feedPage } from '../figures/paths.ts';
import { below, type Figure } from '../figures/report.ts';
import { liking, publishing, Requests, type RequestSource, weighted } from '../figures/requests.ts';
import { alternate, type Side } from './rounds.ts';
import type { Bench, Scenario } from './scenario.ts';

const posts = 100_000;
const people = 16;
const underMicroseconds = 80;

/**
 * What a page of HTML costs when something on it was written since the last request: processor time of a write and the
 * page after it, without that of the write. On one connection, so that every request for the page follows a write.
 */
export const anewHtml: Scenario = {
  name: 'anew-html',
  measure: async (bench) => [
    await measure(bench, 'a like of a post on it', (tokens, ids) => liking(tokens, ids)),
    await measure(bench, 'a new post', (tokens) => publishing(tokens)),
  ],
};

async function measure(
  { servers, seconds }: Bench,
  what: string,
  writes: (tokens: string[], ids: number[]) => RequestSource,
): Promise<Figure> {
  const { server, people: writers } = await servers.writable(posts, people);
  const page = (await (await fetch(server.address + feedPage)).json()) as { posts: Array<{ id: string }> };
  // One source for both sides, so that no like is of a post that the person likes already: it would change nothing.
  const write = writes(
    writers.map(({ token }) => token),
    page.posts.map(({ id }) => Number(id)),
  );
  const both = weighted([
    { parts: 1, requests: write },
    { parts: 1, requests: new Requests(1, () => '/') },
  ]);
  const side = (requests: RequestSource): Side => ({ server, requests, connections: 1 });
  const [alone, pair] = await alternate([side(write), side(both)], seconds);
  const writeMicroseconds = alone.cpuMicroseconds;
  const pairMicroseconds = 2 * pair.cpuMicroseconds;
  return below(
    `HTML of the feed after ${what}, CPU time`,
    pairMicroseconds - writeMicroseconds,
    underMicroseconds,
    `a write and the page ${microseconds(pairMicroseconds)}, the write ${microseconds(writeMicroseconds)}`,
    microseconds,
  );
}
