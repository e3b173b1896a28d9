import type { Kysely, Selectable } from 'kysely';
import { limits } from '#contract/limits.ts';
import { shownRules } from '#contract/reply-rules.ts';
import type { Owner, Post, QuotedPost, WrittenPost } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { shownColumns, shownColumnsOfU } from '../../names/shown-names.ts';

/** Columns of the post itself; `threadColumns` are its place in the discussion. */
const ownColumns = ['id', 'user_id', 'text', 'created_at', 'modified_at'] as const;
const threadColumns = ['parent_post_id', 'replied_post_id'] as const;
/** The rules for replies: `ReplyRules`. */
export const ruleColumns = ['pace', 'closed_by'] as const;
const countColumns = ['likes_count', 'replies_count', 'thread_count'] as const;

/** The columns that a withdrawn post keeps and the export reads. Counts are computed again when a post is restored. */
export const storedColumns = [...ownColumns, ...threadColumns, 'depth', ...ruleColumns] as const;

const rootColumns = [...ownColumns, ...countColumns, ...ruleColumns] as const;
/** The columns of a reply that the queries of a thread read. `placed` adds those that follow from its place in the thread. */
export const nodeColumns = ['user_id', 'text', 'created_at', 'modified_at', 'likes_count', 'replies_count'] as const;
export const postColumns = [...ownColumns, ...threadColumns, ...countColumns, ...ruleColumns] as const;

type Row<C extends keyof Schema['posts']> = Pick<Selectable<Schema['posts']>, C>;
type Column = (typeof postColumns)[number];
type Prefixed<C extends string> = C extends string ? `q.${C} as q_${C}` : never;
type Quoted = { [C in Column as `q_${C}`]: Row<C>[C] | null } & {
  q_username: string | null;
  q_display_name: string | null;
  q_face: string | null;
  q_newcomer_until: number | null;
  q_is_namesake: number | null;
};

/** The columns of the author that a post shows. */
export const authorColumns = [...shownColumns, 'newcomer_until'] as const;
export type Names = Pick<Selectable<Schema['users']>, (typeof authorColumns)[number]>;
export const nameColumns = [...shownColumnsOfU, 'u.newcomer_until'] as const;
/** The same columns for the author of the quoted post. */
export const quotedNames = [
  'qu.username as q_username',
  'qu.display_name as q_display_name',
  'qu.face as q_face',
  'qu.newcomer_until as q_newcomer_until',
  'qu.is_namesake as q_is_namesake',
] as const;

export type AuthoredRow = Row<(typeof rootColumns)[number]> & Partial<Row<(typeof threadColumns)[number]>> & Names;

/** A post with its author and, for a reply, the quoted post: the one it replies to. */
export type PostRow = AuthoredRow & Partial<Quoted>;

/** Selects root posts as `p`. Callers add conditions, order and limit. */
export function selectRootPosts(db: Kysely<Schema>) {
  return selectAuthored(db).where('p.replied_post_id', 'is', null);
}

/** Selects root posts and replies with their quoted posts, at twice the cost of `selectRootPosts`. */
export function selectPosts(db: Kysely<Schema>) {
  return selectAuthored(db)
    .leftJoin('posts as q', 'q.id', 'p.replied_post_id')
    .leftJoin('users as qu', (join) => join.onRef('qu.id', '=', 'q.user_id').on(isNotDeleted('qu')))
    .select(threadColumns.map((column) => `p.${column}` as const))
    .select(postColumns.map((column) => `q.${column} as q_${column}` as Prefixed<Column>))
    .select(quotedNames);
}

export function selectAuthored(db: Kysely<Schema>) {
  return db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(rootColumns.map((column) => `p.${column}` as const))
    .select(nameColumns);
}

const idOrNull = (id: number | null = null): string | null => (id === null ? null : String(id));

/** The part that lists, withdrawn posts and the export have in common. */
export function toWritten({
  id,
  text,
  created_at,
  modified_at,
}: Omit<Row<(typeof ownColumns)[number]>, 'user_id'>): WrittenPost {
  const written = { id: String(id), text, created_at, is_modified: modified_at !== null };
  return modified_at === null ? written : { ...written, modified_at };
}

/** The post as a visitor sees it. */
export const toPost = (row: PostRow): Post => toPostWith(row, row.q_username ? quotedRow(row) : undefined);

/** Like `toPost`, with the quoted post in a row of its own. */
export const toPostWith = (row: AuthoredRow, replied: AuthoredRow | undefined): Post =>
  withAuthor(row, replied ? toQuoted(replied) : null);

/** The post without its quoted post. */
export const toQuoted = (row: AuthoredRow): QuotedPost => withAuthor(row, null);

/** Repeats the fields of `toWritten`, because spreading them would take as long as all the rest. */
function withAuthor<Replied extends QuotedPost | null>(row: AuthoredRow, replied: Replied) {
  const { text, created_at, modified_at } = row;
  const id = String(row.id);
  const owner = ownerOf(row);
  const actions = {
    is_liked: false,
    likes_count: row.likes_count,
    replies_count: row.replies_count,
    thread_count: row.replied_post_id ? null : row.thread_count,
    parent_post_id: idOrNull(row.parent_post_id),
    replied_post_id: idOrNull(row.replied_post_id),
    replied_post: replied,
  };
  if (row.pace !== 0 || row.closed_by !== null) Object.assign(actions, shownRules(row));
  return modified_at === null
    ? { id, text, created_at, is_modified: false, owner, actions }
    : { id, text, created_at, is_modified: true, modified_at, owner, actions };
}

/**
 * With `created_at`, the owner of a newcomer's post has `newcomer_until`. A time further ahead than `newHereSeconds` was
 * recorded by a clock that was ahead, and is left out.
 */
export function ownerOf(
  row: Omit<Names, 'newcomer_until'> & Partial<Names> & { user_id: number; created_at?: number },
) {
  const { newcomer_until: until, created_at: at = Infinity } = row;
  const owner: Owner = {
    id: String(row.user_id),
    username: row.username,
    display_name: row.display_name,
    face: row.face,
  };
  if (row.is_namesake && row.display_name !== null) owner.is_namesake = true;
  if (until && at < until && until - at <= limits.newHereSeconds) owner.newcomer_until = until;
  return owner;
}

/** The row of the quoted post. The caller has checked that the post and its author exist, so the columns are set. */
function quotedRow(row: PostRow): AuthoredRow {
  return {
    id: row.q_id!,
    user_id: row.q_user_id!,
    username: row.q_username!,
    display_name: row.q_display_name ?? null,
    face: row.q_face ?? null,
    newcomer_until: row.q_newcomer_until ?? null,
    is_namesake: row.q_is_namesake ?? 0,
    text: row.q_text!,
    created_at: row.q_created_at!,
    modified_at: row.q_modified_at!,
    parent_post_id: row.q_parent_post_id!,
    replied_post_id: row.q_replied_post_id!,
    likes_count: row.q_likes_count!,
    replies_count: row.q_replies_count!,
    thread_count: row.q_thread_count!,
    pace: row.q_pace!,
    closed_by: row.q_closed_by!,
  };
}

type NodeColumns = Pick<AuthoredRow, (typeof nodeColumns)[number] | keyof Names> & { node_id: number };

/** Completes a row that the queries of a thread have read. */
export function placed(row: NodeColumns, rootId: number, repliedId: number | null): AuthoredRow {
  return {
    id: row.node_id,
    user_id: row.user_id,
    username: row.username,
    display_name: row.display_name,
    face: row.face,
    newcomer_until: row.newcomer_until,
    is_namesake: row.is_namesake,
    text: row.text,
    created_at: row.created_at,
    modified_at: row.modified_at,
    likes_count: row.likes_count,
    replies_count: row.replies_count,
    thread_count: 0,
    pace: 0,
    closed_by: null,
    parent_post_id: rootId,
    replied_post_id: repliedId,
  };
}

/** The columns that the author writes. Published and pending posts have them. */
type Content = Pick<Selectable<Schema['posts']>, 'text'>;

export const contentOf = ({ text }: Content): Content => ({ text });

export interface NewPost extends Content {
  userId: number;
  now: number;
  /** The post was pending. The pace of its discussion was checked when it was written, and is not checked again. */
  wasPending?: boolean;
}

/** The row of a post at its publication. */
export const newRow = (
  { id, userId, text, now }: NewPost & { id: number },
  { username, display_name, face, newcomer_until, is_namesake }: Names,
): AuthoredRow => ({
  id,
  user_id: userId,
  username,
  display_name,
  face,
  newcomer_until,
  is_namesake,
  text,
  created_at: now,
  modified_at: null,
  likes_count: 0,
  replies_count: 0,
  thread_count: 0,
  pace: 0,
  closed_by: null,
});

/** The tags on which a response with these posts depends. */
export function tagsOf(posts: ReadonlyArray<Post | QuotedPost>): Tag[] {
  return posts.flatMap((post): Tag[] => {
    const quoted = post.actions.replied_post;
    if (quoted) return [...ownTags(post), ...ownTags(quoted)];
    if ('last_reply' in post && post.last_reply) return [...ownTags(post), ...ownTags(post.last_reply)];
    const missing = post.actions.replied_post_id;
    // The missing post may be restored and is then quoted.
    return missing === null ? ownTags(post) : [...ownTags(post), `post:${Number(missing)}`];
  });
}

const ownTags = ({ id, owner }: Pick<Post, 'id' | 'owner'>): Tag[] => [
  `post:${Number(id)}`,
  `user:${Number(owner.id)}`,
];
