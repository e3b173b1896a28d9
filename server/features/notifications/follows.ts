import { type Kysely, sql } from 'kysely';
import type { ChosenSettings } from '#contract/notifications.ts';
import type { Database, Tx } from '../../db/database.ts';
import { knownValues } from '../../db/known-values.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { hasVisibleAuthor } from '../../db/visibility.ts';

/** Discussions checked by one query. */
const rootsAtOnce = 200;
/** Rows per transaction, so that other writers do not wait long. */
const batch = 500;

/**
 * Removes the follows of discussions that no longer exist. A discussion still exists while it has replies or a withdrawn post
 * that may be restored.
 */
export async function forgetFollows(read: Kysely<Schema>, { tx }: Pick<Database, 'tx'>): Promise<void> {
  for (let after = 0; ;) {
    const rows = await read
      .selectFrom('follows')
      .select('root_post_id as id')
      .distinct()
      .where('root_post_id', '>', after)
      .orderBy('root_post_id')
      .limit(rootsAtOnce)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    after = ids.at(-1)!;
    const left = new Set((await existing(read, ids)).map(({ id }) => id));
    for (const id of new Set(ids).difference(left)) while (await forgetSome({ tx }, id));
  }
}

const existing = (read: Kysely<Schema>, ids: readonly number[]) =>
  read.selectFrom('all_posts').select('id').where('id', 'in', ids).execute();

/** Removes a batch; resolves to whether there may be more. */
function forgetSome({ tx }: Pick<Database, 'tx'>, rootId: number): Promise<boolean> {
  return tx(async ({ db }) => {
    const removed = await db
      .deleteFrom('follows')
      .where('root_post_id', '=', rootId)
      .where('user_id', 'in', (eb) =>
        eb.selectFrom('follows').select('user_id').where('root_post_id', '=', rootId).orderBy('user_id').limit(batch),
      )
      .returning('user_id')
      .execute();
    return removed.length === batch;
  });
}

interface Follow {
  rootId: number;
  userId: number;
}

/** The id of the root post of the discussion that a visible post belongs to. */
export async function discussionOf(db: Kysely<Schema>, postId: number): Promise<number | undefined> {
  const post = await db
    .selectFrom('posts')
    .select(['id', 'parent_post_id'])
    .where('id', '=', postId)
    .where(hasVisibleAuthor('posts'))
    .executeTakeFirst();
  return post && (post.parent_post_id ?? post.id);
}

/** The author of the root post follows its discussion unless a row says otherwise. */
export async function isFollowing(db: Kysely<Schema>, { rootId, userId }: Follow): Promise<boolean> {
  const chosen = await db
    .selectFrom('follows')
    .select('following')
    .where('root_post_id', '=', rootId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (chosen) return chosen.following === 1;
  const own = await db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', rootId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return own !== undefined;
}

export async function setFollowing({ db }: Tx, { rootId, userId }: Follow, following: boolean): Promise<void> {
  const value = following ? 1 : 0;
  await db
    .insertInto('follows')
    .values({ root_post_id: rootId, user_id: userId, following: value })
    .onConflict((conflict) => conflict.columns(['root_post_id', 'user_id']).doUpdateSet({ following: value }))
    .execute();
}

const followReplied = prepared<Follow, never>((db, slot) =>
  db
    .insertInto('follows')
    .columns(['root_post_id', 'user_id', 'following'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          sql<number>`cast(${slot('rootId')} as bigint)`.as('root_post_id'),
          'id',
          sql<number>`1`.as('following'),
        ])
        .where('id', '=', slot('userId'))
        .where('follow_replied', '=', 1),
    )
    .onConflict((conflict) => conflict.columns(['root_post_id', 'user_id']).doNothing()),
);

/** A person who has replied follows the discussion, unless the person has declined this discussion, or all in the settings. */
export function followByReplying(tx: Tx, follow: Follow): void {
  tx.send(followReplied(tx.db, follow));
}

interface Listing {
  rootId: number;
  /** A reply in the discussion. */
  postId: number;
  authorId: number;
  /** Followers with greater ids are listed, in the order of ids. */
  after: number;
  limit: number;
}

interface Chosen {
  user_id: number;
  following: number;
}

const followers = prepared<Listing, Chosen>((db, slot) =>
  db
    .selectFrom('follows as f')
    .select(['f.user_id', 'f.following'])
    .where('f.root_post_id', '=', slot('rootId'))
    .where('f.user_id', '=', slot('authorId'))
    .unionAll(
      db
        .selectFrom(
          db
            .selectFrom('follows as f')
            .select(['f.user_id', 'f.following'])
            .where('f.root_post_id', '=', slot('rootId'))
            .where('f.user_id', '>', slot('after'))
            .where('f.user_id', '<>', slot('authorId'))
            .where('f.following', '=', 1)
            .where((eb) =>
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('notifications as n')
                    .select('n.no')
                    .where('n.post_id', '=', slot('postId'))
                    .whereRef('n.user_id', '=', 'f.user_id'),
                ),
              ),
            )
            .orderBy('f.user_id')
            .limit(sql<number>`${slot('limit')} + 0`)
            .as('others'),
        )
        .select(['others.user_id', 'others.following']),
    ),
);

/** `ids`: followers without a notification of the reply. `hasAuthorChosen`: the reply's author has chosen to follow or not. */
export async function followersToNotify(
  { db }: Tx,
  listing: Listing,
): Promise<{ ids: number[]; hasAuthorChosen: boolean }> {
  const rows = await followers(db, listing);
  const ids = rows.map(({ user_id: id }) => id).filter((id) => id !== listing.authorId);
  return { ids: ids.toSorted((a, b) => a - b), hasAuthorChosen: ids.length < rows.length };
}

type OfAuthor = Pick<Listing, 'authorId' | 'after' | 'limit'>;

const followersOf = prepared<OfAuthor, { user_id: number }>((db, slot) =>
  db
    .selectFrom('followed_authors')
    .select('user_id')
    .where('author_id', '=', slot('authorId'))
    .where('user_id', '>', slot('after'))
    .orderBy('user_id')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The followers of an author with ids above `after`, in the order of ids. */
export const followersOfAuthor = async (db: Kysely<Schema>, listing: OfAuthor): Promise<number[]> =>
  (await followersOf(db, listing)).map(({ user_id: id }) => id);

const everFollowed = prepared<object, { author_id: number }>((db) =>
  db.selectFrom('followed_authors').select('author_id').distinct(),
);

export const followedAuthors = knownValues('followed authors', async (db) =>
  (await everFollowed(db, {})).map(({ author_id: id }) => id),
);

/** The first followers of an author. */
export async function someFollowersOfAuthor(tx: Tx, authorId: number, limit: number): Promise<number[]> {
  const known = await followedAuthors.of(tx);
  if (known && !known.has(authorId)) return [];
  return followersOfAuthor(tx.db, { authorId, after: 0, limit });
}

const switches = ['follow_replied', 'best_weekly', 'replies_at_once', 'wall_daily', 'file_monthly'] as const;

export async function notificationSettingsOf(db: Kysely<Schema>, userId: number) {
  const { digest, ...chosen } = await db
    .selectFrom('users')
    .select(['digest', ...switches])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const isOn = Object.fromEntries(switches.map((name) => [name, chosen[name] === 1]));
  return { digest, ...(isOn as Record<(typeof switches)[number], boolean>) };
}

const newestRoot = sql<number>`(select coalesce(max(p.id), 0) from posts p where p.replied_post_id is null)`;

/** Letters about answers and those with the whole wall tell of what comes after the choice. */
export async function setNotificationSettings(
  { db }: Tx,
  userId: number,
  { digest, ...chosen }: ChosenSettings,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(chosen).map(([name, isOn]) => [name, isOn ? 1 : 0]));
  await db
    .updateTable('users')
    .set({
      digest,
      ...set,
      ...(chosen.replies_at_once && {
        answers_no: sql<number>`case when replies_at_once = 1 then answers_no else notifications_made end`,
        digest_no: sql<number>`case when replies_at_once = 1 or digest <> 'off' then digest_no else notifications_made end`,
      }),
      ...(chosen.wall_daily && {
        wall_daily_id: sql<number>`case when wall_daily = 1 then wall_daily_id else ${newestRoot} end`,
      }),
    })
    .where('id', '=', userId)
    .execute();
}
