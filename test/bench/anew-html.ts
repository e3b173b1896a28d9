import { createClient } from '#client/create-client.ts';
import { listPosts } from '#contract/posts.ts';
import { microseconds } from '../measurements/numbers.ts';
import { below, type Figure } from '../measurements/report.ts';
import { liking, publishing, Requests, type RequestSource, weighted } from '../measurements/requests.ts';
import { alternate, type Side } from './rounds.ts';
import type { Bench, Scenario } from './scenario.ts';

const posts = 100_000;
const people = 16;
const underMicroseconds = 80;

/** Nothing that these writes change is on it. */
const cachedPage = '/about';

/**
 * The cost of a page of HTML when something on it was written since the last request, beyond what a cached page costs: on
 * one connection a request for the page follows every write, and in turn one for a page that stays cached.
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
  const page = await createClient({ baseUrl: server.address })(listPosts, {});
  // One source for both sides, so that no like is of a post that the person likes already: it would change nothing.
  const write = writes(
    writers.map(({ token }) => token),
    page.posts.map(({ id }) => Number(id)),
  );
  const afterWrite = (path: string): Side => ({
    server,
    requests: weighted([
      { parts: 1, requests: write },
      { parts: 1, requests: new Requests([path]) },
    ]),
    connections: 1,
  });
  const [anew, cached] = await alternate([afterWrite('/'), afterWrite(cachedPage)], seconds);
  const [withAnew, withCached] = [2 * anew.cpuMicroseconds, 2 * cached.cpuMicroseconds];
  return below(
    `HTML of the feed after ${what}, CPU time`,
    withAnew - withCached,
    underMicroseconds,
    `a write and the page ${microseconds(withAnew)}, a write and a cached page ${microseconds(withCached)}`,
    microsecondsAboveNoise,
  );
}

const microsecondsAboveNoise = (value: number): string => (value > 0 ? microseconds(value) : 'not measurable');
