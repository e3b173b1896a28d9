import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';

// A row of `discussions` belongs to a root post with replies. It is written while the row of the root post, or its gap, is
// locked, so the replies of a discussion follow one another in the order of their ids.

/** A reply lifts its discussion if somebody else has replied within this time. */
const livelySeconds = 7 * 24 * 3_600;
/** For this time after a lift the same person cannot lift the discussion again. */
const liftPauseSeconds = 3_600;

export interface Reply {
  id: number;
  rootId: number;
  userId: number;
  now: number;
}

type Discussion = Schema['discussions'];

const insertLift = prepared<Reply & { lively: number; paused: number }, { reply_id: number }>((db, slot) =>
  db
    .insertInto('lifts')
    .columns(['reply_id', 'root_post_id', 'user_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('discussions as d')
        .select([
          sql<number>`cast(${slot('id')} as bigint)`.as('reply_id'),
          'd.root_post_id',
          sql<number>`cast(${slot('userId')} as bigint)`.as('user_id'),
          sql<number>`cast(${slot('now')} as bigint)`.as('created_at'),
        ])
        .where('d.root_post_id', '=', slot('rootId'))
        .where(
          sql<boolean>`case when d.last_reply_by = ${slot('userId')} then d.other_reply_at else d.last_reply_at end >= ${slot('lively')}`,
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('lifts as l')
                .select('l.reply_id')
                .whereRef('l.root_post_id', '=', 'd.root_post_id')
                .where('l.user_id', '=', slot('userId'))
                .where('l.created_at', '>', slot('paused')),
            ),
          ),
        ),
    )
    .returning('reply_id'),
);

const noteLast = prepared<Reply, never>((db, slot) =>
  db
    .insertInto('discussions')
    .values({
      root_post_id: slot('rootId'),
      last_reply_id: slot('id'),
      last_reply_by: slot('userId'),
      last_reply_at: slot('now'),
      other_reply_id: null,
      other_reply_at: null,
      lift_id: null,
    })
    .onConflict((conflict) =>
      conflict.column('root_post_id').doUpdateSet((eb) => {
        const isSamePerson = sql<boolean>`discussions.last_reply_by = excluded.last_reply_by`;
        const other = (column: 'id' | 'at') =>
          eb
            .case()
            .when(isSamePerson)
            .then(eb.ref(`discussions.other_reply_${column}`))
            .else(eb.ref(`discussions.last_reply_${column}`))
            .end();
        return {
          last_reply_id: eb.ref('excluded.last_reply_id'),
          last_reply_by: eb.ref('excluded.last_reply_by'),
          last_reply_at: eb.ref('excluded.last_reply_at'),
          other_reply_id: other('id'),
          other_reply_at: other('at'),
          lift_id: sql<number>`coalesce((select reply_id from lifts where reply_id = excluded.last_reply_id), discussions.lift_id)`,
        };
      }),
    ),
);

/** Notes a new reply. Resolves to whether it has lifted the discussion. `mayLift`: the root post exists and is not closed. */
export async function noteReply(tx: Tx, reply: Reply, mayLift: boolean): Promise<boolean> {
  const { now } = reply;
  const times = { lively: now - livelySeconds, paused: now - liftPauseSeconds };
  const lifted = mayLift ? insertLift(tx.db, { ...reply, ...times }) : [];
  tx.send(noteLast(tx.db, reply));
  return (await lifted).length > 0;
}

type LastReply = Pick<Selectable<Schema['posts']>, 'id' | 'user_id' | 'created_at'>;

const lastReply = prepared<{ rootId: number }, LastReply>((db, slot) =>
  db
    .selectFrom('posts')
    .select(['id', 'user_id', 'created_at'])
    .where('parent_post_id', '=', slot('rootId'))
    .orderBy('id', 'desc')
    .limit(sql<number>`1`),
);

const lastOther = prepared<{ rootId: number; userId: number }, LastReply>((db, slot) =>
  db
    .selectFrom('posts')
    .select(['id', 'user_id', 'created_at'])
    .where('parent_post_id', '=', slot('rootId'))
    .where('user_id', '<>', slot('userId'))
    .orderBy('id', 'desc')
    .limit(sql<number>`1`),
);

const lastLift = prepared<{ rootId: number }, { reply_id: number | null }>((db, slot) =>
  db
    .selectFrom('lifts as l')
    .innerJoin('posts as p', 'p.id', 'l.reply_id')
    .innerJoin('posts as root', 'root.id', 'l.root_post_id')
    .select((eb) => eb.fn.max('l.reply_id').as('reply_id'))
    .where('l.root_post_id', '=', slot('rootId')),
);

/** Computes the row of a discussion again after one of its posts was withdrawn, deleted or restored. */
export async function reviseDiscussion(tx: Tx, rootId: number): Promise<void> {
  tx.touch('discussed');
  const [last] = await lastReply(tx.db, { rootId });
  if (!last) {
    await tx.db.deleteFrom('discussions').where('root_post_id', '=', rootId).execute();
    return;
  }
  const [other] = await lastOther(tx.db, { rootId, userId: last.user_id });
  const [lift] = await lastLift(tx.db, { rootId });
  const row: Omit<Discussion, 'root_post_id'> = {
    last_reply_id: last.id,
    last_reply_by: last.user_id,
    last_reply_at: last.created_at,
    other_reply_id: other?.id ?? null,
    other_reply_at: other?.created_at ?? null,
    lift_id: lift!.reply_id,
  };
  await tx.db
    .insertInto('discussions')
    .values({ root_post_id: rootId, ...row })
    .onConflict((conflict) => conflict.column('root_post_id').doUpdateSet(row))
    .execute();
}

/** Called when a post is gone for good. */
export async function forgetLift({ db }: Tx, replyId: number): Promise<void> {
  await db.deleteFrom('lifts').where('reply_id', '=', replyId).execute();
}
