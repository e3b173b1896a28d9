import { Random } from '../server/demo/random.ts';

const seed = 2026;

export const feedPage = '/api/v1/posts?page=1&limit=10';

/** Demo posts have the ids 1, 2, 3 … */
export const postPath = (id: number): string => `/api/v1/posts/${id}`;

/** The page that goes on after this post. Cursors are the server's own; should their form change, it answers 400 here. */
export const pageAfter = (id: number): string => `/api/v1/posts?limit=10&cursor=c${id.toString(36)}`;

/** Ids drawn at random, the same ones in every run. */
export function randomIds(count: number, highest: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => 1 + random.below(highest));
}

/** Ids `from … to` in random order, each once: in a circle that long, what comes round again has long been forgotten. */
export function shuffledIds(from: number, to: number): number[] {
  return new Random(seed).shuffled(Array.from({ length: to - from + 1 }, (_, i) => from + i));
}
