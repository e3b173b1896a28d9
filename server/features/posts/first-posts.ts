import { type Kysely, sql } from 'kysely';
import type { WaitingPost } from '#contract/posts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked, isNotDeleted } from '../../db/visibility.ts';
import { nameColumns, type Names, ownerOf } from './post-rows.ts';
import { toLine } from './post-rules.ts';

/** How long a newcomer's first post is listed while nobody replies. */
export const waitingSeconds = 3 * 24 * 3_600;

const listedAtMost = 5;

/** Notes a post if it is the only root post of its author. The author's row must already count it. */
export const noteFirst = prepared<{ id: number; userId: number; now: number }, never>((db, slot) =>
  db
    .insertInto('first_posts')
    .columns(['post_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          sql<number>`cast(${slot('id')} as bigint)`.as('post_id'),
          sql<number>`cast(${slot('now')} as bigint)`.as('created_at'),
        ])
        .where('id', '=', slot('userId'))
        .where('posts_count', '=', 1),
    ),
);

interface Row extends Names {
  id: number;
  user_id: number;
  text: string;
}

/**
 * `discussions` says whether anybody but the author has replied. With plain joins PostgreSQL reads all discussions, or all
 * posts of these days. Two forms prevent that: the key `f.post_id + 0`, and a subquery `is not null`, which PostgreSQL expects
 * to hold for most rows.
 */
const waiting = prepared<{ since: number; viewer: number }, Row>((db, slot) =>
  db
    .selectFrom('first_posts as f')
    .innerJoin('posts as p', (join) => join.on('p.id', '=', sql<number>`f.post_id + 0`))
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(['p.id', 'p.user_id', 'p.text', ...nameColumns])
    .where('f.created_at', '>', slot('since'))
    .where('p.user_id', '<>', slot('viewer'))
    .where(isNotBlocked('u'))
    .where(
      (eb) =>
        sql<boolean>`(select 1 where ${eb.not(
          eb.exists(
            eb
              .selectFrom('discussions as d')
              .select('d.root_post_id')
              .whereRef('d.root_post_id', '=', 'f.post_id')
              .where((of) =>
                of.or([of('d.last_reply_by', '<>', of.ref('p.user_id')), of('d.other_reply_id', 'is not', null)]),
              ),
          ),
        )}) is not null`,
    )
    .orderBy('f.post_id', 'desc')
    .limit(sql<number>`${sql.lit(listedAtMost)}`),
);

/** First posts of the last days to which nobody else has replied, the newest first. */
export async function listWaiting(db: Kysely<Schema>, viewer: number, now: number): Promise<WaitingPost[]> {
  const rows = await waiting(db, { since: now - waitingSeconds, viewer });
  return rows.map((row) => ({ ...toLine(row), owner: ownerOf(row) }));
}
