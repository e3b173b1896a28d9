import { type Kysely, sql } from 'kysely';
import type { ReportedPost } from '#contract/moderation.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { nameColumns, ownerOf } from '../posts/post-rows.ts';

export interface ListedPost {
  post: ReportedPost;
  /** The id of the report by which the post is sorted in the list. */
  key: number;
}

interface Part {
  state: 'open' | 'settled' | 'all';
  limit: number;
  /** Continues after the post with this key. */
  after?: number | undefined;
  /** The moderator who reads the list and must not learn who has reported the moderator's own posts. */
  viewer?: number;
}

/** Maximum number of reports listed of one post. */
const shownAtMost = 50;

/**
 * Lists reported posts. A post with open reports is sorted by its oldest open report, the longest wait first, so a new report does not
 * move it. The lists of settled and of all reports are sorted by the newest report of each post, the newest first.
 */
export async function listReportedPosts(
  db: Kysely<Schema>,
  { state, limit, after, viewer }: Part,
): Promise<ListedPost[]> {
  const onlyOpen = state === 'open';
  const isOlder = onlyOpen ? '<' : '>';
  const heads = await db
    .selectFrom('reports as r')
    .innerJoin('users as u', 'u.id', 'r.owner_id')
    .select(['r.id as key', 'r.post_id', 'r.owner_id as user_id', ...nameColumns, 'u.blocked_at'])
    // Keeps one report of each post, the one by which the post is sorted.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as o')
            .select('o.id')
            .whereRef('o.post_id', '=', 'r.post_id')
            .whereRef('o.id', isOlder, 'r.id')
            .$if(onlyOpen, (query) => query.where('o.settled_at', 'is', null)),
        ),
      ),
    )
    .$if(onlyOpen, (query) => query.where('r.settled_at', 'is', null))
    .$if(state === 'settled', (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('reports as o')
              .select('o.id')
              .whereRef('o.post_id', '=', 'r.post_id')
              .where('o.settled_at', 'is', null),
          ),
        ),
      ),
    )
    .$if(after !== undefined, (query) => query.where('r.id', onlyOpen ? '>' : '<', after!))
    .orderBy('r.id', onlyOpen ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  if (heads.length === 0) return [];

  const ids = heads.map(({ post_id: id }) => id);
  const reports = Map.groupBy(await reportsOf(db, ids), (report) => report.post_id);
  const stateOf = await statesOf(db, ids);
  return heads.map(({ key, post_id: id, blocked_at: blockedAt, ...author }) => {
    const own = reports.get(id)!;
    const { open, text: newest } = own[0]!;
    const post = {
      post_id: String(id),
      text: newest,
      author: { ...ownerOf(author), is_blocked: blockedAt !== null },
      ...stateOf(id, newest),
      open,
      reports: own.map(({ username, created_at: at, reason_id, comment, text, settled_at: settledAt }) => ({
        by: author.user_id === viewer ? null : username,
        at,
        reason_id,
        comment,
        text,
        open: settledAt === null,
      })),
    };
    return { post, key };
  });
}

/** The newest reports of each post, with the number of the open ones. */
function reportsOf(db: Kysely<Schema>, ids: number[]) {
  const ofPost = sql`over (partition by r.post_id)`;
  return db
    .selectFrom((inner) =>
      inner
        .selectFrom('reports as r')
        .select([
          'r.id',
          'r.post_id',
          'r.user_id',
          'r.created_at',
          'r.reason_id',
          'r.comment',
          'r.text',
          'r.settled_at',
        ])
        .select([
          sql<number>`count(*) filter (where r.settled_at is null) ${ofPost}`.as('open'),
          sql<number>`row_number() over (partition by r.post_id order by r.id desc)`.as('rank'),
        ])
        .where('r.post_id', 'in', ids)
        .as('n'),
    )
    .innerJoin('users as u', 'u.id', 'n.user_id')
    .selectAll('n')
    .select('u.username')
    .where('n.rank', '<=', shownAtMost)
    .orderBy('n.id', 'desc')
    .execute();
}

type PostState = Pick<ReportedPost, 'state' | 'current_text' | 'replied_post' | 'parent_post_id'>;

/** The current state of each post: on the wall, removed or gone. */
async function statesOf(db: Kysely<Schema>, ids: number[]): Promise<(id: number, text: string) => PostState> {
  const shown = await db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.text', 'p.replied_post_id', 'p.parent_post_id'])
    .where('p.id', 'in', ids)
    .where(isNotDeleted('u'))
    .execute();
  const removed = await db
    .selectFrom('removed_posts')
    .select(['id', 'replied_post_id', 'parent_post_id'])
    .where('id', 'in', ids)
    .execute();
  const repliedPosts = await repliedPostsOf(db, [...shown, ...removed]);
  const shownById = new Map(shown.map((post) => [post.id, post]));
  const removedById = new Map(removed.map((post) => [post.id, post]));
  return (id, text) => {
    const post = shownById.get(id) ?? removedById.get(id);
    if (!post) return { state: 'deleted', current_text: null, replied_post: null, parent_post_id: null };
    const current = shownById.get(id)?.text;
    return {
      state: current === undefined ? 'removed' : current === text ? 'visible' : 'changed',
      current_text: current ?? null,
      replied_post: repliedPosts.get(post.replied_post_id ?? 0) ?? null,
      parent_post_id: post.parent_post_id === null ? null : String(post.parent_post_id),
    };
  };
}

async function repliedPostsOf(db: Kysely<Schema>, posts: ReadonlyArray<{ replied_post_id: number | null }>) {
  const ids = posts.flatMap(({ replied_post_id: id }) => id ?? []);
  const rows = await db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.text', 'p.user_id', ...nameColumns])
    .where('p.id', 'in', ids.length > 0 ? ids : [0])
    .where(isNotDeleted('u'))
    .execute();
  return new Map(rows.map(({ id, text, ...author }) => [id, { id: String(id), text, owner: ownerOf(author) }]));
}

/** The number of posts with open reports, up to a limit. */
export async function countReportedPosts(db: Kysely<Schema>, atMost: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select distinct post_id from reports where settled_at is null limit ${atMost}
    ) as open`.execute(db);
  return rows[0]!.n;
}

/** The number of posts of which all reports are settled, up to a limit. */
export async function countSettledPosts(db: Kysely<Schema>, atMost: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select post_id from reports group by post_id having count(settled_at) = count(*) limit ${atMost}
    ) as settled`.execute(db);
  return rows[0]!.n;
}
