import { type SqlBool, sql } from 'kysely';

/** The states of a post, as they are stored. docs/visibility.md says who sees a post in each state. */
export const states = { shown: 0, deleted: 1, removed: 2, gone: 3 } as const;

export type PostState = keyof typeof states;

/** A row of `all_posts` is in one of these states. The states are in the text of the query, as in the conditions of the indexes. */
export const isIn = (...names: readonly PostState[]) =>
  names.length === 1
    ? sql<SqlBool>`all_posts.state = ${sql.lit(states[names[0]!])}`
    : sql<SqlBool>`all_posts.state in (${sql.join(names.map((name) => sql.lit(states[name])))})`;
