import { readStored, writeStored } from '../../lib/storage.ts';
import type { ReadingList } from './report-reading.ts';

/** A visitor's positions are stored in the browser: the feed, and the discussions read last. */
export const storedReadingKey = 'reading';
const mostThreads = 200;

type Stored = Array<[list: ReadingList, postId: string]>;

const all = (): Stored => JSON.parse(readStored('localStorage', storedReadingKey) ?? '[]');

export const storedReading = (list: ReadingList): string | null => new Map(all()).get(list) ?? null;

export function storeReading(list: ReadingList, postId: string): void {
  writeStored('localStorage', storedReadingKey, JSON.stringify(withReading(all(), list, postId)));
}

/** Positions never go back, also when several tabs write. The list read last stands first. */
export function withReading(stored: Stored, list: ReadingList, postId: string): Stored {
  const known = new Map(stored).get(list);
  const furthest = known !== undefined && Number(known) > Number(postId) ? known : postId;
  const others = stored.filter(([other]) => other !== list);
  const feed = others.filter(([other]) => other === 'feed');
  const threads = others.filter(([other]) => other !== 'feed');
  const room = mostThreads - (list === 'feed' ? 0 : 1);
  return [[list, furthest], ...feed, ...threads.slice(0, room)];
}
