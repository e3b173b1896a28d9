import { type SqlBool, sql } from 'kysely';

// docs/visibility.md says who sees what. A post is visible if it is in `posts`, the view of the shown ones, and its author has not
// deleted the account. Queries take the condition on the author from here, except queries that have locked the author's row.

/** The account is not deleted. `users` is the name or alias of the table in the query. */
export const isNotDeleted = (users: 'users' | 'u' | 'qu') => sql<SqlBool>`${sql.ref(`${users}.deleted_at`)} is null`;

/** The person is not blocked. The search, the best posts, newcomers' first posts, suggestions and the list of people leave out blocked people. */
export const isNotBlocked = (users: 'users' | 'u') => sql<SqlBool>`${sql.ref(`${users}.blocked_at`)} is null`;

/**
 * The person has not muted the author; both are SQL expressions. A mute hides notifications, suggestions of people, and posts in
 * the list of followed authors and in the letter with the best posts. It hides no other posts.
 */
export const hasNotMuted = (person: unknown, author: unknown) =>
  sql<SqlBool>`not exists (select 1 from mutes where mutes.user_id = ${person} and mutes.muted_id = ${author})`;

/** The author of a post has not deleted the account. For statements that cannot join. */
export const hasVisibleAuthor = (posts: 'posts' | 'all_posts') => sql<SqlBool>`exists (
  select 1 from users where users.id = ${sql.ref(`${posts}.user_id`)} and ${isNotDeleted('users')}
)`;
