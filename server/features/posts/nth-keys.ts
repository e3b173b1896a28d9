import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';

/** The key that has exactly `skip` newer ones in a list. Reads only the index. */
export type NthKey<Owner extends string> = (
  db: Kysely<Schema>,
  params: Record<Owner | 'skip', number>,
) => Promise<Array<{ key: number }>>;

function nth<Owner extends string>(
  owner: Owner,
  rowsOf: (owner: number) => RawBuilder<unknown>,
  key = sql.ref('id'),
): NthKey<Owner> {
  return prepared((db, slot) =>
    db
      .selectFrom(
        sql<{ key: number }>`(
          select ${key} as key from ${rowsOf(slot(owner))} order by ${key} desc limit 1 offset ${slot('skip')}
        )`.as('nth'),
      )
      .select('key'),
  );
}

export const nthPostOf = nth('userId', (user) => sql`posts where user_id = ${user} and replied_post_id is null`);
export const nthReplyTo = nth('postId', (post) => sql`posts where replied_post_id = ${post}`);
export const nthReplyOf = nth('userId', (user) => sql`posts where user_id = ${user} and replied_post_id is not null`);
export const nthLikedBy = nth('userId', (user) => sql`likes where user_id = ${user}`);
export const nthNotificationOf = nth('userId', (user) => sql`notifications where user_id = ${user}`, sql.ref('no'));
