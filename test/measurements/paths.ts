import { Random } from '../../demo/random.ts';

const seed = 2026;

export const feedPage = '/api/v1/posts?page=1&limit=10';

export const discussedPage = '/api/v1/posts/discussed?limit=10';

/** Posts of the demo wall have the ids 1, 2, 3 … */
export const postPath = (id: number): string => `/api/v1/posts/${id}`;

/** The page after a post. The format of cursors is internal to the server: if it changes, this path returns 400. */
export const pageAfter = (id: number): string => `/api/v1/posts?limit=10&cursor=c${id.toString(36)}`;

/** The page above a post. */
export const pageBefore = (id: number): string => `/api/v1/posts?limit=10&before=c${id.toString(36)}`;

/** The page that begins at a post. */
export const pageAt = (id: number): string => `/api/v1/posts?limit=10&at=${id}`;

/** Random ids, the same ones in every run. */
export function randomIds(count: number, highest: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => 1 + random.below(highest));
}

/** Ids by Zipf's law (s = 1): of all requests the nth most frequent id gets 1/n of the first one's. Which they are is random. */
export function zipfIds(count: number, highest: number): number[] {
  const random = new Random(seed);
  const byRank = random.shuffled(Array.from({ length: highest }, (_, i) => 1 + i));
  const shares: number[] = [];
  for (let rank = 1; rank <= highest; rank += 1) shares.push((shares.at(-1) ?? 0) + 1 / rank);
  return Array.from({ length: count }, () => byRank[rankOf(random.next() * shares.at(-1)!)]!);

  /** The first rank whose sum exceeds the number. */
  function rankOf(number: number): number {
    let [from, to] = [0, highest - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (shares[middle]! > number) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** The ids `from … to` in random order, each once: in a cycle of that length every page has left the cache before its next turn. */
export function shuffledIds(from: number, to: number): number[] {
  return new Random(seed).shuffled(Array.from({ length: to - from + 1 }, (_, i) => from + i));
}
