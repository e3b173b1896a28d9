import { type Kysely, sql } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { countNotifications, type Engine, given, toParameter } from './people.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../db/visibility.ts';

/** A post that people get a notification of. */
export interface NotifiedPost {
  postId: number;
  authorId: number;
  /** The root post of its discussion. */
  rootId: number;
}

/**
 * Locked in the order of their ids: people may reply to each other. SQLite has one writer at a time. Without the offset,
 * PostgreSQL would apply the conditions of the statement first, and not lock the author.
 */
const lockedPeople = (db: Kysely<Schema>, engine: Engine, people: string) =>
  db
    .selectFrom(given[engine](people).as('p'))
    .innerJoin('users as u', 'u.id', 'p.id')
    .select(['u.id', 'u.notifications_made', 'u.deleted_at', 'u.blocked_at', 'p.kind'])
    .$if(engine === 'postgres', (query) =>
      query
        .orderBy('u.id')
        .offset(sql<number>`0`)
        .forNoKeyUpdate(['u']),
    );

/** Leaves out people who have muted the author, who follow the discussion no longer, and who have a notification of this post. */
const insertFor = (engine: Engine) =>
  prepared<NotifiedPost & { people: string }, { user_id: number }>((db, slot) =>
    db
      .insertInto('notifications')
      .columns(['user_id', 'no', 'post_id', 'author_id', 'kind'])
      .expression(
        db
          .selectFrom(lockedPeople(db, engine, slot('people')).as('u'))
          .select((eb) => [
            'u.id as user_id',
            eb('u.notifications_made', '+', 1).as('no'),
            sql<number>`cast(${slot('postId')} as bigint)`.as('post_id'),
            sql<number>`cast(${slot('authorId')} as bigint)`.as('author_id'),
            eb.ref('u.kind').$notNull().as('kind'),
          ])
          .where('u.kind', 'is not', null)
          .where(isNotDeleted('u'))
          .where((eb) => eb.or([eb('u.kind', '=', 'answer'), isNotBlocked('u')]))
          .where(hasNotMuted(sql.ref('u.id'), slot('authorId')))
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('removed_notifications as r')
                  .select('r.no')
                  .where('r.post_id', '=', slot('postId'))
                  .whereRef('r.user_id', '=', 'u.id'),
              ),
            ),
          )
          .where((eb) =>
            eb.or([
              eb('u.kind', '<>', 'followed'),
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('follows as f')
                    .select('f.user_id')
                    .where('f.root_post_id', '=', slot('rootId'))
                    .whereRef('f.user_id', '=', 'u.id')
                    .where('f.following', '=', 0),
                ),
              ),
            ]),
          ),
      )
      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
      .returning('user_id'),
  );

const insert = { sqlite: insertFor('sqlite'), postgres: insertFor('postgres') };

/**
 * Gives these people a notification under their next number, with their rows locked until the end of the transaction; the
 * author's is locked with them. People who have one of this post already keep it.
 */
export async function notify(tx: Tx, news: NotifiedPost, kinds: ReadonlyMap<number, NotificationKind>): Promise<void> {
  if (kinds.size === 0) return;
  const people = toParameter([...kinds, [news.authorId, null]]);
  const notified = await insert[tx.engine](tx.db, { ...news, people });
  countNotifications(tx, notified, { made: 1, kept: 1 });
}
