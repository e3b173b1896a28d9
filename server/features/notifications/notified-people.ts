import { type Kysely, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Database, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasNotMuted } from '../../db/visibility.ts';
import { isUnreadBy } from './unread.ts';

export type Engine = Database['engine'];

interface Person {
  id: number;
  /** The kind of a new notification; null where a query needs only the id. */
  kind: NotificationKind | null;
}

/** People as one parameter: a JSON object. Objects with numbers for names are slow to make and to serialize. */
export const toParameter = (people: ReadonlyArray<readonly [number, Person['kind']]>): string =>
  `{${people.map(([id, kind]) => `"${id}":${kind ? `"${kind}"` : 'null'}`).join()}}`;

/** Expands the parameter into rows. */
export const peopleRows = {
  sqlite: (json: string) => sql<Person>`(select cast(key as integer) as id, value as kind from json_each(${json}))`,
  postgres: (json: string) =>
    sql<Person>`(select cast(key as bigint) as id, value as kind from jsonb_each_text(cast(${json} as jsonb)))`,
};

interface Increments {
  made: number;
  stored: number;
}

/** The post that notifications are about, and its discussion. */
export interface NotifiedPost {
  postId: number;
  authorId: number;
  /** The root post of its discussion. */
  rootId: number;
}

/** On PostgreSQL rows are locked in the order of ids, so that two transactions that count for the same people do not deadlock. */
const idsOf = {
  sqlite: (db: Kysely<Schema>, people: string) => db.selectFrom(peopleRows.sqlite(people).as('p')).select('p.id'),
  postgres: (db: Kysely<Schema>, people: string) =>
    db
      .selectFrom(peopleRows.postgres(people).as('p'))
      .innerJoin('users as u', 'u.id', 'p.id')
      .select('u.id')
      .orderBy('u.id')
      .forNoKeyUpdate(['u']),
};

const countFor = (engine: Engine) =>
  prepared<Increments & NotifiedPost & { people: string }, never>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({
        notifications_made: eb('notifications_made', '+', slot('made')),
        notifications_count: eb('notifications_count', '+', slot('stored')),
        unread_count: sql<number>`unread_count + case when ${isUnreadBy(sql.ref('users.id'), {
          rootId: slot('rootId'),
          postId: slot('postId'),
          authorId: slot('authorId'),
        })} then cast(${slot('stored')} as bigint) else 0 end`,
      }))
      .where('id', 'in', idsOf[engine](db, slot('people'))),
  );

const count = { sqlite: countFor('sqlite'), postgres: countFor('postgres') };

const countInFor = (engine: Engine) =>
  prepared<NotifiedPost & { stored: number; people: string }, never>((db, slot) =>
    db
      .insertInto('reading_positions')
      .columns(['user_id', 'list', 'post_id', 'updated_at', 'unread'])
      .expression(
        db
          .selectFrom(peopleRows[engine](slot('people')).as('p'))
          .select([
            'p.id',
            sql<number>`cast(${slot('rootId')} as bigint)`.as('list'),
            sql<number>`0`.as('post_id'),
            // This value is used only for a new row. When the post is gone already, the row exists, so 0 is never stored.
            sql<number>`coalesce((select created_at from posts where id = ${slot('postId')}), 0)`.as('updated_at'),
            sql<number>`cast(${slot('stored')} as bigint)`.as('unread'),
          ])
          // Without a `where`, SQLite would parse `on conflict` as the condition of a join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'list']).doUpdateSet({
          unread: sql<number>`coalesce(reading_positions.unread, 0) + case
            when reading_positions.post_id < ${slot('postId')}
              and ${hasNotMuted(sql.ref('reading_positions.user_id'), slot('authorId'))}
            then excluded.unread else 0 end`,
        }),
      ),
  );

const countIn = { sqlite: countInFor('sqlite'), postgres: countInFor('postgres') };

/**
 * Counts one notification more or less for each of these people, whose event streams then get their unread count. On PostgreSQL
 * the caller must have locked their rows, for example with `lockPeople`.
 */
export function countNotifications(
  tx: Tx,
  rows: ReadonlyArray<{ user_id: number }>,
  { postId, authorId, rootId, made, stored }: Increments & NotifiedPost,
): void {
  if (rows.length === 0) return;
  const ids = rows.map(({ user_id: id }) => id);
  const counted = { postId, authorId, rootId, stored, people: toParameter(ids.map((id) => [id, null])) };
  tx.send(countIn[tx.engine](tx.db, counted), count[tx.engine](tx.db, { ...counted, made }));
  tx.touch(...ids.map((id) => `unread:${id}` as const));
}

const lock = prepared<{ people: string }, { id: number }>((db, slot) => idsOf.postgres(db, slot('people')));

/** Must be called before unread notifications are counted or a reading position moves. SQLite has one writer and needs no locks. */
export async function lockPeople(tx: Tx, ids: readonly number[]): Promise<void> {
  if (tx.engine === 'postgres') await lock(tx.db, { people: toParameter(ids.map((id) => [id, null])) });
}

const sumUp = prepared<{ userId: number }, never>((db, slot) =>
  db
    .updateTable('users')
    .set({
      unread_count: sql<number>`coalesce(
        (select sum(r.unread) from reading_positions r where r.user_id = ${slot('userId')} and r.unread > 0), 0)`,
      unseen_removals: sql<number>`(select count(*) from removed_posts p where p.user_id = ${slot('userId')} and p.unseen = 1)`,
    })
    .where('id', '=', slot('userId')),
);

/** Updates a person's total of unread notifications after a change of the counts of discussions. */
export async function sumUnread(tx: Tx, userId: number): Promise<void> {
  await lockPeople(tx, [userId]);
  await sumUp(tx.db, { userId });
  tx.touch(`unread:${userId}`);
}
