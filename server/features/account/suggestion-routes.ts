import type { FastifyInstance } from 'fastify';
import { type Kysely, type Selectable, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Owner } from '#contract/posts.ts';
import { displayNameKey, isNamedLike } from '#contract/profile-text.ts';
import type { Database } from '../../db/database.ts';
import { parseId } from '../../db/ids.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { serve } from '../../http/serve.ts';
import { type shownColumns, shownColumnsOfU, shownNames } from '../../names/shown-names.ts';
import { spendOrRefuse } from '../../limits/limits-http.ts';
import { writingBudgets, type WritingOptions } from '../../limits/writing-budgets.ts';
import { callerOf } from '../sessions/session-http.ts';

/** The people of a discussion are the authors of this many of its newest replies. */
const repliesRead = 200;
/** Maximum number of people read in the order of names. Others are found with one more typed letter. */
const namesRead = 100;

// The ranges of names have a beginning and no end. With both, PostgreSQL expects few rows, then reads and sorts all of them,
// which may be 200,000. Without an end it goes along the index and stops at the limit. `isNamedLike` drops names beyond the end.

type Row = Pick<Selectable<Schema['users']>, 'id' | (typeof shownColumns)[number]>;

const ofDiscussion = prepared<{ postId: number; userId: number }, Row>((db, slot) => {
  const root = sql`(select coalesce(parent_post_id, id) from posts where id = ${slot('postId')})`;
  return db
    .selectFrom(
      sql<{ user_id: number; last_id: number }>`(
        select user_id, max(id) as last_id from (
          select user_id, id from posts where id = ${root}
          union all
          select user_id, id from (
            select user_id, id from posts where parent_post_id = ${root} order by id desc limit ${sql.lit(repliesRead)}
          ) newest
        ) written
        group by user_id
      )`.as('d'),
    )
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .select(['u.id', ...shownColumnsOfU])
    .where('u.id', '!=', slot('userId'))
    .where(isNotDeleted('u'))
    .where(isNotBlocked('u'))
    .where(hasNotMuted(slot('userId'), sql.ref('u.id')))
    .orderBy('d.last_id', 'desc');
});

interface NamesFrom {
  column: 'username_key' | 'display_key';
  engine: Database['engine'];
  from: string;
  atMost: number;
}

/**
 * The ids of people whose key is not less than `from`: names that begin with `from` come first. PostgreSQL uses the index only for
 * the order of bytes, which is the order of SQLite.
 */
export function namesFrom(db: Kysely<Schema>, { column, engine, from, atMost }: NamesFrom) {
  const key = sql<string>`${sql.ref(column)} ${sql.raw(engine === 'postgres' ? 'collate "C"' : '')}`;
  return (
    db
      .selectFrom('users')
      .select(['id', key.as('key')])
      .where(key, '>=', from)
      .orderBy(key)
      // Usernames are unique and need no second key.
      .$if(column === 'display_key', (query) => query.orderBy('id'))
      .limit(sql.lit(atMost))
      .as('n')
  );
}

const namedFrom = (column: NamesFrom['column'], engine: Database['engine']) =>
  prepared<{ from: string; userId: number }, Row>((db, slot) =>
    db
      .selectFrom(namesFrom(db, { column, engine, from: slot('from'), atMost: namesRead }))
      .innerJoin('users as u', 'u.id', 'n.id')
      .select(['u.id', ...shownColumnsOfU])
      .where('u.id', '!=', slot('userId'))
      .where(isNotDeleted('u'))
      .where(isNotBlocked('u'))
      .where(hasNotMuted(slot('userId'), sql.ref('u.id')))
      .orderBy('n.key')
      .orderBy('u.id'),
  );

const byName = {
  sqlite: [namedFrom('username_key', 'sqlite'), namedFrom('display_key', 'sqlite')],
  postgres: [namedFrom('username_key', 'postgres'), namedFrom('display_key', 'postgres')],
};

interface Typed {
  userId: number;
  /** The beginning of a name, in any case; empty for the people of the discussion alone. */
  typed: string;
  postId: number | undefined;
}

/**
 * People to mention: people of the discussion, the last writer first, then others by username, then by display name.
 * The number of rows read does not depend on the size of the discussion or of the wall.
 */
export async function suggestPeople(
  { read, engine }: Pick<Database, 'read' | 'engine'>,
  { userId, typed, postId }: Typed,
): Promise<Owner[]> {
  const here = postId === undefined ? [] : await ofDiscussion(read, { postId, userId });
  const from = displayNameKey(typed);
  const named = from === '' ? [] : await Promise.all(byName[engine].map((query) => query(read, { from, userId })));
  const fitting = [...here, ...named.flat()].filter((row) => isNamedLike(row, typed));
  // A person who was found several times keeps the first position.
  const people = new Map(fitting.map((row) => [row.id, { id: String(row.id), ...shownNames(row) }]));
  return [...people.values()].slice(0, limits.suggestions);
}

export function suggestionRoutes(app: FastifyInstance, { db, config, now }: WritingOptions): void {
  const budgets = writingBudgets(config);

  serve(app, 'GET /users/suggestions', async ({ query, request }) => {
    const { userId } = callerOf(request);
    const { q: typed = '', post_id: post } = query;
    await db.tx((tx) => spendOrRefuse(tx, budgets.suggestions(userId), now()));
    const postId = post === undefined ? undefined : parseId(post);
    return { users: await suggestPeople(db, { userId, typed, postId }) };
  });
}
