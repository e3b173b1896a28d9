import { milliseconds } from '../figures/numbers.ts';
import { pageAfter, randomIds } from '../figures/paths.ts';
import { below } from '../figures/report.ts';
import { Requests } from '../figures/requests.ts';
import { runLoad } from '../figures/run-load.ts';
import type { Scenario } from './scenario.ts';

const posts = 1_000_000;
const sampledPages = 50;
const queries = 5_000;
const wordsAtMost = 5;
const underMs = 20;

/** Any words of the wall, one to five in a query: frequent ones, rare ones, and combinations that no post has. */
export const search: Scenario = {
  name: 'search',
  async measure({ servers, seconds }) {
    const { address, port } = await servers.demo(posts);
    const words = await wordsOf(address);
    const random = randomIds(queries * wordsAtMost, words.length);
    const requests = new Requests(queries, (i) => {
      const asked = Array.from({ length: 1 + (i % wordsAtMost) }, (_, no) => words[random[i * wordsAtMost + no]! - 1]!);
      return `/api/v1/posts/search?${new URLSearchParams({ q: asked.join(' ') })}`;
    });
    const { p50Ms, p99Ms, maxMs, count } = await runLoad({ port, requests, seconds, connections: 1 });
    return [
      below(
        `search for one to ${wordsAtMost} words, 1,000,000 posts`,
        p99Ms,
        underMs,
        `p99 of ${count} queries of ${words.length} words, one at a time; p50 ${milliseconds(p50Ms)}, max ${milliseconds(maxMs)}`,
      ),
    ];
  },
};

/** The words of random posts, as often as they occur: a frequent word is asked for frequently. */
async function wordsOf(address: string): Promise<string[]> {
  const words: string[] = [];
  for (const id of randomIds(sampledPages, posts)) {
    const page = (await (await fetch(address + pageAfter(id))).json()) as { posts: Array<{ text: string }> };
    for (const { text } of page.posts) words.push(...(text.match(/\p{L}+/gu) ?? []));
  }
  return words;
}
