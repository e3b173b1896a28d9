import { type Kysely, sql } from 'kysely';
import type { FoundPosts } from '#contract/search.ts';
import { isUsername, usernameKey } from '#contract/username.ts';
import type { Database } from '../../db/database.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { authorLexeme } from '../../search/post-words.ts';
import { findMatches, type IdRange } from '../../search/matches.ts';
import { stemOf, tagLexeme } from '#contract/lexemes.ts';
import { type PostRow, selectPosts, toPost } from '../posts/post-rows.ts';
import { toCursor } from '../posts/post-rules.ts';
import { highlightsOf, type Query, type Range, type Wanted } from './query.ts';

type FoundId = { id: number };

const anyPosts = prepared<IdRange, FoundId>((db, slot) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('id', '>=', slot('from'))
    .where('id', '<', slot('before'))
    .orderBy('id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

const ofAuthor = (kind: 'is' | 'is not') =>
  prepared<IdRange & { authorId: number }, FoundId>((db, slot) =>
    db
      .selectFrom('posts')
      .select('id')
      .where('user_id', '=', slot('authorId'))
      .where('replied_post_id', kind, null)
      .where('id', '>=', slot('from'))
      .where('id', '<', slot('before'))
      .orderBy('id', 'desc')
      .limit(sql<number>`${slot('limit')} + 0`),
  );

/** Each kind of posts has an index by author. */
const rootPostsOf = ofAuthor('is');
const repliesOf = ofAuthor('is not');

type Candidates = (db: Kysely<Schema>, engine: Database['engine'], range: IdRange) => Promise<number[]>;

/** Finds ids of posts that may match, newest first. A query without words does not need the index of words. */
function candidatesFor(query: Query, authorId: number | undefined): { hasWords: boolean; find: Candidates } {
  const words = [...query.stems, ...query.phrases.flat().map(stemOf), ...query.tags.map(tagLexeme)];
  if (words.length > 0) {
    const lexemes = new Set(words);
    if (authorId !== undefined) lexemes.add(authorLexeme(authorId));
    return { hasWords: true, find: (db, engine, range) => findMatches(db, engine, [...lexemes], range) };
  }
  return {
    hasWords: false,
    find: async (db, _, range) => {
      if (authorId === undefined) return (await anyPosts(db, range)).map(({ id }) => id);
      const both = await Promise.all([rootPostsOf, repliesOf].map((posts) => posts(db, { ...range, authorId })));
      const ids = both.flat().map(({ id }) => id);
      return ids.toSorted((a, b) => b - a).slice(0, range.limit);
    },
  };
}

/** Number of ids that one query looks at. */
const probes = 15;
/** The clocks of the processes differ, so a post with a higher id may be up to this many seconds older. */
const slackSeconds = 600;

const newestId = prepared<object, { id: number | null }>((db) =>
  db.selectFrom('posts').select((eb) => eb.fn.max<number | null>('id').as('id')),
);

/** The times of the first posts from these ids on. */
const timesFrom = prepared<Record<`id${number}`, number>, Record<`at${number}`, number | null>>((db, slot) =>
  db.selectNoFrom((eb) =>
    Array.from({ length: probes }, (_, i) =>
      eb
        .selectFrom('posts')
        .select('created_at')
        .where('id', '>=', slot(`id${i}`))
        .orderBy('id')
        .limit(sql<number>`1`)
        .as(`at${i}`),
    ),
  ),
);

/** The id after the newest post. */
async function endOfPosts(db: Kysely<Schema>): Promise<number> {
  const [row] = await newestId(db, {});
  return (row?.id ?? 0) + 1;
}

/**
 * Every post written at `at` or later has the returned id or a higher one, because ids and times grow together. Finding the id takes
 * five queries for a million posts and no index of times.
 */
const firstIdFrom = (db: Kysely<Schema>, at: number, end: number): Promise<number> =>
  firstIdNotOlder(db, at - slackSeconds, end);

/** Every post written before `at` has an id below the result. */
const endOfIdsBefore = (db: Kysely<Schema>, at: number, end: number): Promise<number> =>
  firstIdNotOlder(db, at + slackSeconds, end);

/** A search by bisection for the first id whose post is not older than `at`. */
async function firstIdNotOlder(db: Kysely<Schema>, at: number, end: number): Promise<number> {
  // Posts below `low` are older than `at`. Posts from `high` on are not.
  let [low, high] = [0, end];
  while (low < high) {
    const ids = Array.from({ length: probes }, (_, i) => low + Math.floor(((high - low) * i) / probes));
    const [times] = await timesFrom(db, Object.fromEntries(ids.map((id, i) => [`id${i}`, id])));
    const older = ids.filter((_, i) => (times![`at${i}`] ?? Infinity) < at);
    const notOlder = ids.find((_, i) => (times![`at${i}`] ?? Infinity) >= at);
    high = notOlder ?? high;
    low = Math.max(low, (older.at(-1) ?? low - 1) + 1);
    if (low > high) return high;
  }
  return high;
}

/**
 * Limits of the work for one response. A search that reaches a limit returns what it has found, possibly nothing, and a cursor to
 * continue from. The limits count ids and letters and not milliseconds, so both engines return the same pages.
 */
const idsAtMost = 2 ** 20;
const examinedAtMost = 250;
const lettersAtMost = 50_000;
const examinedAtOnce = 50;
/** Maximum number of letters that are searched in one turn of the event loop. It takes at most a millisecond. */
const lettersInATurn = 1_500;

interface PageRequest {
  /** Only posts below this id are found; undefined: the newest post is the first. */
  before: number | undefined;
  limit: number;
  /** Waits for the next turn of the event loop. */
  turn: () => Promise<void>;
}

/** Finds the matches in texts, a few in a turn of the event loop. */
class Texts {
  /** Letters of all texts so far. */
  letters = 0;
  #turn: PageRequest['turn'];
  #inThisTurn = 0;

  constructor(turn: PageRequest['turn']) {
    this.#turn = turn;
  }

  async highlights(text: string, wanted: Wanted): Promise<Range[] | undefined> {
    if (this.#inThisTurn > lettersInATurn) {
      await this.#turn();
      this.#inThisTurn = 0;
    }
    this.letters += text.length;
    this.#inThisTurn += text.length;
    return highlightsOf(text, wanted);
  }
}

interface FoundPost {
  row: PostRow;
  ranges: Range[];
}

type Found = Omit<FoundPosts, 'corrected'>;

const nothing: Found = { posts: [], next: null, highlights: [], unknown_author: null };

const postsById = preparedAmong<number, PostRow>([examinedAtOnce], (db, ids) =>
  selectPosts(db).where(isNotBlocked('u')).where('p.id', 'in', ids),
);

const textsById = preparedAmong<number, { id: number; text: string }>([examinedAtOnce], (db, ids) =>
  db.selectFrom('posts').select(['id', 'text']).where('id', 'in', ids),
);

const userByKey = prepared<{ key: string }, { id: number; blocked_at: number | null }>((db, slot) =>
  db
    .selectFrom('users')
    .select(['id', 'blocked_at'])
    .where('username_key', '=', slot('key'))
    .where(isNotDeleted('users')),
);

/** Posts and replies that match a query, newest first. */
export async function findPosts(
  { read: db, engine }: Pick<Database, 'read' | 'engine'>,
  query: Query,
  { before, limit, turn }: PageRequest,
): Promise<Found> {
  const author = query.author === undefined ? undefined : await userNamed(db, query.author);
  if (query.author !== undefined && !author) return { ...nothing, unknown_author: query.author };
  if (author && author.blocked_at !== null) return nothing;
  const candidates = candidatesFor(query, author?.id);
  const [from, end] = await boundsOf(db, query, before);
  const lowest = candidates.hasWords ? Math.max(from, end - idsAtMost) : from;
  const page = new FoundPage(db, query, { limit, turn });
  let below = end;
  for (let examined = 0; examined < examinedAtMost;) {
    // The index finds the posts with the words of a phrase. Few of them have the phrase itself, so many are read at once.
    const atMost = query.phrases.length > 0 ? examinedAtMost : examined === 0 ? limit + 1 : examinedAtOnce;
    const ids = await candidates.find(db, engine, { from: lowest, before: below, limit: atMost });
    const last = await page.addMatches(ids);
    if (last !== undefined) return page.upTo(last);
    if (ids.length < atMost) return page.upTo(lowest > from ? lowest : undefined);
    below = ids.at(-1)!;
    examined += Math.max(atMost, examinedAtOnce);
  }
  return page.upTo(below);
}

/** Gathers the posts of one page of results. */
class FoundPage {
  readonly #db: Kysely<Schema>;
  readonly #query: Query;
  readonly #limit: number;
  readonly #texts: Texts;
  readonly #found: FoundPost[] = [];

  constructor(db: Kysely<Schema>, query: Query, { limit, turn }: Omit<PageRequest, 'before'>) {
    this.#db = db;
    this.#query = query;
    this.#limit = limit;
    this.#texts = new Texts(turn);
  }

  /** Adds the posts among these ids that match. If that ends the page, resolves to the id below which the next page begins. */
  async addMatches(ids: readonly number[]): Promise<number | undefined> {
    for (let at = 0; at < ids.length; at += examinedAtOnce) {
      const some = ids.slice(at, at + examinedAtOnce);
      this.#found.push(...(await examine(this.#db, some, this.#query, this.#texts)));
      if (this.#found.length > this.#limit) {
        this.#found.length = this.#limit;
        return this.#found.at(-1)!.row.id;
      }
      if (this.#texts.letters > lettersAtMost) return some.at(-1);
    }
    return undefined;
  }

  /** The page; the next one begins below this id. Undefined: this is the last page. */
  upTo(last: number | undefined): Found {
    return {
      posts: this.#found.map(({ row }) => toPost(row)),
      next: last === undefined ? null : toCursor(last),
      highlights: this.#found.map(({ ranges }) => ranges),
      unknown_author: null,
    };
  }
}

async function userNamed(
  db: Kysely<Schema>,
  name: string,
): Promise<{ id: number; blocked_at: number | null } | undefined> {
  return isUsername(name) ? (await userByKey(db, { key: usernameKey(name) }))[0] : undefined;
}

/** All posts that the query can find have ids from the first number up to, but not including, the second. */
async function boundsOf(db: Kysely<Schema>, query: Query, before: number | undefined): Promise<[number, number]> {
  const end = await endOfPosts(db);
  const [from, until] = await Promise.all([
    query.from === undefined ? 0 : firstIdFrom(db, query.from, end),
    query.until === undefined ? end : endOfIdsBefore(db, query.until, end),
  ]);
  return [from, Math.min(until, before ?? end)];
}

/** Returns the visible posts among these ids that match the query, newest first. `ids` has at most `examinedAtOnce` elements. */
async function examine(db: Kysely<Schema>, ids: readonly number[], query: Query, texts: Texts): Promise<FoundPost[]> {
  const { from = 0, until = Infinity } = query;
  const some = query.phrases.length > 0 ? await withPhrases(db, ids, query, texts) : ids;
  const found: FoundPost[] = [];
  for (const row of await postsById(db, some)) {
    if (row.created_at < from || row.created_at >= until) continue;
    const ranges = await texts.highlights(row.text, query);
    if (ranges) found.push({ row, ranges });
  }
  return found.toSorted((a, b) => b.row.id - a.row.id);
}

/** Returns the ids of the posts that have the phrases. Few posts with the words have the phrase, and reading only texts takes a third of the time. */
async function withPhrases(
  db: Kysely<Schema>,
  ids: readonly number[],
  { phrases }: Query,
  texts: Texts,
): Promise<number[]> {
  const found: number[] = [];
  for (const { id, text } of await textsById(db, ids)) {
    if (await texts.highlights(text, { phrases, stems: [], tags: [] })) found.push(id);
  }
  return found;
}
