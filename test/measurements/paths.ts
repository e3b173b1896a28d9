import { Random } from '../../demo/random.ts';

const seed = 2026;

export const feedPage = '/api/v1/posts?page=1&limit=10';

export const discussedPage = '/api/v1/posts/discussed?limit=10';

/** Posts of the demo wall have the ids 1, 2, 3 … */
export const postPath = (id: number): string => `/api/v1/posts/${id}`;

/** The page after a post. The format of cursors is internal to the server: if it changes, this path returns 400. */
export const pageAfter = (id: number): string => `/api/v1/posts?limit=10&cursor=c${id.toString(36)}`;

/** Random ids, the same ones in every run. */
export function randomIds(count: number, highest: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => 1 + random.below(highest));
}

/** The ids `from … to` in random order, each once: in a cycle of that length every page has left the cache before its next turn. */
export function shuffledIds(from: number, to: number): number[] {
  return new Random(seed).shuffled(Array.from({ length: to - from + 1 }, (_, i) => from + i));
}
