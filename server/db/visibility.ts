import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from './schema.ts';

// docs/visibility.md says who sees what. A post is visible when its row is in `posts` and its author has not deleted
// the account: removed posts are moved to `removed_posts`, which no list reads. Queries take the second condition from
// here, except those that have locked the row of the person.

/** The account has not been deleted. `users` is the name or alias of the table in the query. */
export const isNotDeleted = (users: 'users' | 'u' | 'qu') => sql<SqlBool>`${sql.ref(`${users}.deleted_at`)} is null`;

/** For the search and the best posts, which leave out the posts of people who are blocked, and for suggestions. */
export const isNotBlocked = (users: 'users' | 'u') => sql<SqlBool>`${sql.ref(`${users}.blocked_at`)} is null`;

/**
 * A person has not muted an author; both are SQL expressions. Mutes leave out notifications, suggestions of people
 * and the posts of followed authors, never other posts.
 */
export const hasNotMuted = (person: unknown, author: unknown) =>
  sql<SqlBool>`not exists (select 1 from mutes where mutes.user_id = ${person} and mutes.muted_id = ${author})`;

/** The author of `posts` has not deleted the account, for statements that cannot join. */
export const hasVisibleAuthor = (eb: ExpressionBuilder<Schema, 'posts'>) =>
  eb.exists(
    eb.selectFrom('users').select('users.id').whereRef('users.id', '=', 'posts.user_id').where(isNotDeleted('users')),
  );
