import { count } from '../../measurements/numbers.ts';
import { none } from '../../measurements/report.ts';
import { compareSearches } from '../../kit/search-comparison.ts';
import type { Fault } from '../fault.ts';

const size = { posts: 20_000, queries: 500 };

/** The same random queries to the same posts on both engines. */
export const searchEngines: Fault = {
  name: 'search-engines',
  shortFormIn: 'server/features/search/both-engines.test.ts',
  async run() {
    const { queries, fruitful, differences } = await compareSearches(size);
    for (const query of differences) console.error(query);
    const what = `random queries among ${count(size.posts)} posts, SQLite against PostgreSQL`;
    const detail = `${fruitful} of ${queries} queries found something; up to three pages of each`;
    return [none(what, differences.length, 'differences', detail, { enough: fruitful > queries / 2 })];
  },
};
