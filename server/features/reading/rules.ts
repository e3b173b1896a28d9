import type { ReadingPosition } from '#contract/reading.ts';
import { feedList } from '../../live/own-changes.ts';

const thread = 'thread:';

/** The stored form of a list that passed the schema. */
export const listFrom = (name: ReadingPosition['list']): number =>
  name === 'feed' ? feedList : Number(name.slice(thread.length));

export const nameOf = (list: number): ReadingPosition['list'] => (list === feedList ? 'feed' : `${thread}${list}`);

/** Number of discussions whose positions are kept for one person. */
export const keptThreads = 1_000;
