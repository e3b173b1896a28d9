import { type Kysely, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Database, Tx } from '../../db/database.ts';
import { knownValues } from '../../db/known-values.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { lexemeOfWord, lexemesOfText } from '#contract/lexemes.ts';

type Kind = Schema['words']['kind'];

export interface ChosenWord {
  word: string;
  kind: Kind;
}

const chosen = prepared<{ userId: number }, ChosenWord & { lexeme: string }>((db, slot) =>
  db.selectFrom('words').select(['word', 'kind', 'lexeme']).where('user_id', '=', slot('userId')).orderBy('word'),
);

export const wordsOf = (db: Kysely<Schema>, userId: number) => chosen(db, { userId });

const everFollowed = prepared<object, { lexeme: string }>((db) =>
  db.selectFrom('words').select('lexeme').distinct().where('kind', '=', sql.lit('follow')),
);

const followedLexemes = knownValues('followed lexemes', async (db) =>
  (await everFollowed(db, {})).map(({ lexeme }) => lexeme),
);

/** Choosing a word again changes nothing, or its kind. */
export async function putWord(
  tx: Tx,
  { userId, word, kind }: ChosenWord & { userId: number },
): Promise<'put' | 'not a word' | 'too many'> {
  const lexeme = lexemeOfWord(word);
  if (lexeme === undefined) return 'not a word';
  // Of two words that are chosen at the same time, the later one counts the earlier one.
  await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .$if(tx.engine === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  await tx.db
    .insertInto('words')
    .values({ user_id: userId, word: word.toLowerCase(), kind, lexeme })
    .onConflict((conflict) => conflict.columns(['user_id', 'word']).doUpdateSet({ kind }))
    .execute();
  if (kind === 'follow') followedLexemes.add(tx, lexeme);
  const ofKind = (await wordsOf(tx.db, userId)).filter((row) => row.kind === kind);
  return ofKind.length > limits.words ? 'too many' : 'put';
}

export async function removeWord({ db }: Tx, userId: number, word: string): Promise<void> {
  await db.deleteFrom('words').where('user_id', '=', userId).where('word', '=', word.toLowerCase()).execute();
}

/** Lexemes as one parameter. */
export const lexemesParameter = (lexemes: readonly string[]): string => JSON.stringify(lexemes);

type Engine = Database['engine'];

/** Expands the parameter into rows `l`. */
const lexemeRows = {
  sqlite: (json: string) => sql`json_each(${json}) as l`,
  postgres: (json: string) => sql`jsonb_array_elements_text(cast(${json} as jsonb)) as l (value)`,
};

/** Whether the person of the query hides posts with one of the lexemes. */
export const hidesOne = (engine: Engine, person: unknown, lexemes: string) =>
  sql<boolean>`exists (
    select 1 from words h where h.user_id = ${person} and h.kind = 'hide'
      and h.lexeme in (select l.value from ${lexemeRows[engine](lexemes)}))`;

interface Listing {
  lexemes: string;
  /** Followers with greater ids are listed. */
  after: number;
  limit: number;
}

/** In the order of ids: reads all followers of the words. */
const inOrder = (engine: Engine) =>
  prepared<Listing, { user_id: number }>((db, slot) =>
    db
      .selectFrom('words as w')
      .select('w.user_id')
      .distinct()
      .where('w.kind', '=', sql.lit('follow'))
      .where(sql<boolean>`w.lexeme in (select l.value from ${lexemeRows[engine](slot('lexemes'))})`)
      .where('w.user_id', '>', slot('after'))
      .orderBy('w.user_id')
      .limit(sql<number>`${slot('limit')} + 0`),
  );

/**
 * In no order, some of them more than once: reads no more than the limit. PostgreSQL finds all lexemes of an array in one scan of the
 * index, and would read all words for a join.
 */
const someOf = {
  sqlite: (lexemes: string) => sql`${lexemeRows.sqlite(lexemes)} cross join words w where w.lexeme = l.value`,
  postgres: (lexemes: string) => sql`
    words w where w.lexeme = any(array(select l.value from ${lexemeRows.postgres(lexemes)}))`,
};

const some = (engine: Engine) =>
  prepared<Omit<Listing, 'after'>, { user_id: number }>((db, slot) => ({
    compile: () =>
      sql<{ user_id: number }>`
        select w.user_id from ${someOf[engine](slot('lexemes'))} and w.kind = 'follow' limit ${slot('limit')}`.compile(
        db,
      ),
  }));

const ordered = { sqlite: inOrder('sqlite'), postgres: inOrder('postgres') };
const unordered = { sqlite: some('sqlite'), postgres: some('postgres') };

const idsOf = (rows: ReadonlyArray<{ user_id: number }>): number[] => rows.map(({ user_id: id }) => id);

/** The people who follow one of the lexemes, with ids above `after`, in the order of ids. */
export const followersOfWords = async ({ db, engine }: Tx, listing: Listing): Promise<number[]> =>
  idsOf(await ordered[engine](db, listing));

/** Up to `limit` people who follow one of the lexemes, some of them more than once. */
export async function someFollowersOfWords(tx: Tx, lexemes: readonly string[], limit: number): Promise<number[]> {
  const known = await followedLexemes.of(tx);
  const followed = known ? lexemes.filter((lexeme) => known.has(lexeme)) : lexemes;
  if (followed.length === 0) return [];
  return idsOf(await unordered[tx.engine](tx.db, { lexemes: lexemesParameter(followed), limit }));
}

/** Whether a post has a word that the person hides. One's own posts are never hidden. */
export async function hidesOf(
  db: Kysely<Schema>,
  userId: number,
): Promise<(post: { text: string; owner: { id: string } }) => boolean> {
  const hidden = new Set((await wordsOf(db, userId)).filter(({ kind }) => kind === 'hide').map(({ lexeme }) => lexeme));
  return ({ text, owner }) =>
    hidden.size > 0 && owner.id !== String(userId) && lexemesOfText(text).some((lexeme) => hidden.has(lexeme));
}

/** For each text the first followed word of the person that it contains; null if there is none. */
export async function followedIn(
  db: Kysely<Schema>,
  userId: number,
  texts: readonly string[],
): Promise<Array<string | null>> {
  const followed = (await wordsOf(db, userId)).filter(({ kind }) => kind === 'follow');
  return texts.map((text) => {
    const lexemes = new Set(lexemesOfText(text));
    return followed.find(({ lexeme }) => lexemes.has(lexeme))?.word ?? null;
  });
}
