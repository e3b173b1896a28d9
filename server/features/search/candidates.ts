import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { authorLexeme, tagLexeme } from '../../search/lexemes.ts';
import { findMatches, type IdRange } from '../../search/matches.ts';
import { stemOf } from '../../search/words.ts';
import type { Query } from './query.ts';

type Found = { id: number };

const anyPosts = prepared<IdRange, Found>((db, slot) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('id', '>=', slot('from'))
    .where('id', '<', slot('before'))
    .orderBy('id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

const ofAuthor = (kind: 'is' | 'is not') =>
  prepared<IdRange & { authorId: number }, Found>((db, slot) =>
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
export function candidatesFor(query: Query, authorId: number | undefined): { hasWords: boolean; find: Candidates } {
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
