import { sql } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Database, Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';

export type Engine = Database['engine'];

export interface Person {
  id: number;
  /** Null: only the row is locked. */
  kind: NotificationKind | null;
}

/** Rows of a parameter that holds people as JSON. */
export const given = {
  sqlite: (json: string) =>
    sql<Person>`(select value ->> 'id' as id, value ->> 'kind' as kind from json_each(${json}))`,
  postgres: (json: string) =>
    sql<Person>`(select id, kind from jsonb_to_recordset(cast(${json} as jsonb)) as given (id bigint, kind text))`,
};

interface Increments {
  made: number;
  kept: number;
}

/** Rows are locked in the order of ids: several transactions may count for the same people. */
const countFor = (engine: Engine) =>
  prepared<Increments & { people: string }, never>((db, slot) =>
    db
      .updateTable('users')
      .set((eb) => ({
        notifications_made: eb('notifications_made', '+', slot('made')),
        notifications_count: eb('notifications_count', '+', slot('kept')),
      }))
      .where(
        'id',
        'in',
        db
          .selectFrom('users as u')
          .innerJoin(given[engine](slot('people')).as('p'), 'p.id', 'u.id')
          .select('u.id')
          .$if(engine === 'postgres', (query) => query.orderBy('u.id').forNoKeyUpdate(['u'])),
      ),
  );

const count = { sqlite: countFor('sqlite'), postgres: countFor('postgres') };

/** Counts one notification more or less for each of these people, whose event streams then get their unread count. */
export function countNotifications(tx: Tx, rows: ReadonlyArray<{ user_id: number }>, increments: Increments): void {
  if (rows.length === 0) return;
  const ids = rows.map(({ user_id: id }) => id);
  tx.send(count[tx.engine](tx.db, { ...increments, people: JSON.stringify(ids.map((id) => ({ id }))) }));
  tx.touch(...ids.map((id) => `unread:${id}` as const));
}
