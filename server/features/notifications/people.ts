import { type Kysely, sql } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Database, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';

export type Engine = Database['engine'];

interface Person {
  id: number;
  /** Null: only the row is locked. */
  kind: NotificationKind | null;
}

/** People as one parameter: a JSON object. Objects with numbers for names are slow to make and to serialize. */
export const toParameter = (people: ReadonlyArray<readonly [number, Person['kind']]>): string =>
  `{${people.map(([id, kind]) => `"${id}":${kind ? `"${kind}"` : 'null'}`).join()}}`;

/** The rows of such a parameter. */
export const given = {
  sqlite: (json: string) => sql<Person>`(select cast(key as integer) as id, value as kind from json_each(${json}))`,
  postgres: (json: string) =>
    sql<Person>`(select cast(key as bigint) as id, value as kind from jsonb_each_text(cast(${json} as jsonb)))`,
};

interface Increments {
  made: number;
  kept: number;
}

/** On PostgreSQL rows are locked in the order of ids: several transactions may count for the same people. */
const idsOf = {
  sqlite: (db: Kysely<Schema>, people: string) => db.selectFrom(given.sqlite(people).as('p')).select('p.id'),
  postgres: (db: Kysely<Schema>, people: string) =>
    db
      .selectFrom(given.postgres(people).as('p'))
      .innerJoin('users as u', 'u.id', 'p.id')
      .select('u.id')
      .orderBy('u.id')
      .forNoKeyUpdate(['u']),
};

const countFor = (engine: Engine) =>
  prepared<Increments & { people: string }, never>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({
        notifications_made: eb('notifications_made', '+', slot('made')),
        notifications_count: eb('notifications_count', '+', slot('kept')),
      }))
      .where('id', 'in', idsOf[engine](db, slot('people'))),
  );

const count = { sqlite: countFor('sqlite'), postgres: countFor('postgres') };

/** Counts one notification more or less for each of these people, whose event streams then get their unread count. */
export function countNotifications(tx: Tx, rows: ReadonlyArray<{ user_id: number }>, increments: Increments): void {
  if (rows.length === 0) return;
  const ids = rows.map(({ user_id: id }) => id);
  tx.send(count[tx.engine](tx.db, { ...increments, people: toParameter(ids.map((id) => [id, null])) }));
  tx.touch(...ids.map((id) => `unread:${id}` as const));
}
