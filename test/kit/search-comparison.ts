import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { fillWall } from '../../demo/fill.ts';
import { wordsIn } from '#contract/lexemes.ts';
import { engines } from './engines.ts';
import { openWall, type Wall } from './wall.ts';

export interface SearchComparison {
  queries: number;
  /** Queries that found something. */
  fruitful: number;
  /** The pages of results that differ between the engines, in words. */
  differences: string[];
}

const until = 1_700_000_000;
const daySeconds = 86_400;
const pagesAtMost = 3;

/** Sends the same random queries to two walls with the same posts, one on each engine, and compares the responses. */
export async function compareSearches(size: { posts: number; queries: number }, seed = 1): Promise<SearchComparison> {
  await using stack = new AsyncDisposableStack();
  const walls: Wall[] = [];
  for (const engine of engines) {
    const wall = stack.use(await openWall(engine, { RATE_LIMITS: 'off', READS_PER_MINUTE: '1000000' }));
    await fillWall(wall.db, { posts: size.posts, until, seed }, () => {});
    walls.push(wall);
  }
  const queries = fc.sample(queryAmong(await samplesOf(walls[0]!)), { numRuns: size.queries, seed });
  const result: SearchComparison = { queries: queries.length, fruitful: 0, differences: [] };
  for (const query of queries) {
    const [one, other] = await Promise.all(walls.map((wall) => pagesOf(wall, query)));
    if (one!.some(({ posts }) => posts?.length)) result.fruitful += 1;
    if (!isDeepStrictEqual(one, other)) result.differences.push(query);
  }
  return result;
}

interface Samples {
  texts: readonly string[];
  authors: readonly string[];
}

async function samplesOf({ db }: Wall): Promise<Samples> {
  const posts = await db.read
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.text', 'u.username'])
    .orderBy('p.id')
    .execute();
  return { texts: posts.map(({ text }) => text), authors: [...new Set(posts.map(({ username }) => username))] };
}

/** Queries of words of one or several posts, parts of a text as a phrase, and filters, in any combination. */
function queryAmong({ texts, authors }: Samples): fc.Arbitrary<string> {
  const text = fc.constantFrom(...texts).filter((candidate) => wordsIn(candidate).length > 0);
  const word = text.chain((of) => fc.constantFrom(...wordsIn(of).map(({ form }) => form)));
  const ofOnePost = text.chain((of) => {
    const forms = wordsIn(of).map(({ form }) => form);
    return fc.subarray(forms, { minLength: 1, maxLength: Math.min(5, forms.length) });
  });
  const phrase = text.chain((of) => {
    const words = wordsIn(of);
    return fc.nat(words.length - 1).map((first) => {
      const last = words[Math.min(first + 2, words.length - 1)]!;
      return `"${of.slice(words[first]!.start, last.end).replaceAll('"', '')}"`;
    });
  });
  const date = fc
    .integer({ min: until - 700 * daySeconds, max: until })
    .map((at) => new Date(at * 1_000).toISOString());
  const filter = fc.oneof(
    fc.constantFrom(...authors).map((name) => `от:${name}`),
    date.map((day) => `с:${day.slice(0, 10)}`),
    date.map((day) => `по:${day.slice(0, 10)}`),
  );
  return fc
    .tuple(
      fc.oneof(
        ofOnePost,
        ofOnePost,
        fc.array(word, { minLength: 1, maxLength: 5 }),
        phrase.map((quoted) => [quoted]),
        fc.tuple(phrase, word),
        fc.constant([]),
      ),
      fc.oneof(fc.constant([]), fc.constant([]), fc.array(filter, { maxLength: 2 })),
    )
    .map((parts) => parts.flat().join(' '))
    .filter((query) => query !== '' && query.length <= 200);
}

interface Page {
  posts?: unknown[];
  next?: string | null;
}

async function pagesOf(wall: Wall, q: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ''; pages.length < pagesAtMost && cursor !== null;) {
    const query = new URLSearchParams({ q, ...(cursor && { cursor }) });
    const { json } = await wall.get(`/api/v1/posts/search?${query}`);
    pages.push(json);
    cursor = (json as Page).next ?? null;
  }
  return pages;
}
