import type { Insertable, Kysely, Selectable } from 'kysely';
import { serverLimits } from '#contract/limits.ts';
import { noRules, ruleColumns, shownRules } from '#contract/reply-rules.ts';
import type { Owner, Post, QuotedPost, WrittenPost } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { shownColumns, shownColumnsOfU } from '../../names/shown-names.ts';

/** The columns that the author writes. Published and pending posts have them. */
export const contentColumns = ['text'] as const;
const ownColumns = ['id', 'user_id', ...contentColumns, 'created_at', 'modified_at'] as const;
const placeColumns = ['parent_post_id', 'replied_post_id'] as const;
const countColumns = ['likes_count', 'replies_count'] as const;
/** Columns that say something only at a root post. */
const rootOnly = ['thread_count', ...ruleColumns] as const;

/** The columns of a withdrawn post that its author sees, and of the export. */
export const storedColumns = [...ownColumns, ...placeColumns, 'depth', ...ruleColumns] as const;

const rootColumns = [...ownColumns, ...countColumns, ...rootOnly] as const;
/** The columns of a reply that the queries of a thread read. `placed` adds those that follow from its place in the thread. */
export const nodeColumns = ['user_id', ...contentColumns, 'created_at', 'modified_at', ...countColumns] as const;
export const postColumns = [...rootColumns, ...placeColumns] as const;

type Row<C extends keyof Schema['posts']> = Pick<Selectable<Schema['posts']>, C>;

/** The columns of the author that a post shows. */
export const authorColumns = [...shownColumns, 'newcomer_until'] as const;
export type Names = Pick<Selectable<Schema['users']>, (typeof authorColumns)[number]>;
export const nameColumns = [...shownColumnsOfU, 'u.newcomer_until'] as const;

type Column = (typeof postColumns)[number];
type Prefixed<Table extends string, C extends string> = C extends string ? `${Table}.${C} as q_${C}` : never;
type Nullable<Columns, C extends keyof Columns & string> = { [Name in C as `q_${Name}`]: Columns[Name] | null };
type Quoted = Nullable<Row<Column>, Column> & Nullable<Names, keyof Names>;

/** The author of the quoted post. */
export const quotedNames = authorColumns.map((column) => `qu.${column} as q_${column}` as Prefixed<'qu', keyof Names>);

export type AuthoredRow = Row<(typeof rootColumns)[number]> & Partial<Row<(typeof placeColumns)[number]>> & Names;

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
    .select(placeColumns.map((column) => `p.${column}` as const))
    .select(postColumns.map((column) => `q.${column} as q_${column}` as Prefixed<'q', Column>))
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
export function toWritten(row: Omit<Row<(typeof ownColumns)[number]>, 'user_id'>): WrittenPost {
  const written: WrittenPost = {
    id: String(row.id),
    text: row.text,
    created_at: row.created_at,
    is_modified: row.modified_at !== null,
  };
  if (row.modified_at !== null) written.modified_at = row.modified_at;
  return written;
}

/** The post as a visitor sees it. */
export const toPost = (row: PostRow): Post => toPostWith(row, row.q_username ? quotedRow(row) : undefined);

/** Like `toPost`, with the quoted post in a row of its own. */
export const toPostWith = (row: AuthoredRow, replied: AuthoredRow | undefined): Post =>
  withAuthor(row, replied ? toQuoted(replied) : null);

/** The post without its quoted post. */
export const toQuoted = (row: AuthoredRow): QuotedPost => withAuthor(row, null);

/** Lists the fields of `toWritten` again: to add fields to its result would take longer than the rest of the post. */
function withAuthor<Replied extends QuotedPost | null>(row: AuthoredRow, replied: Replied) {
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
  const post: WrittenPost & { owner: Owner; actions: typeof actions } = {
    id: String(row.id),
    text: row.text,
    created_at: row.created_at,
    is_modified: row.modified_at !== null,
    owner: ownerOf(row),
    actions,
  };
  if (row.modified_at !== null) post.modified_at = row.modified_at;
  return post;
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
  if (until && at < until && until - at <= serverLimits.newHereSeconds) owner.newcomer_until = until;
  return owner;
}

/**
 * The row of the quoted post. The caller has checked that the post and its author exist, so the columns are set. A loop over the columns
 * takes four times as long as this list.
 */
const quotedRow = (row: PostRow): AuthoredRow => ({
  id: row.q_id!,
  user_id: row.q_user_id!,
  text: row.q_text!,
  created_at: row.q_created_at!,
  modified_at: row.q_modified_at!,
  likes_count: row.q_likes_count!,
  replies_count: row.q_replies_count!,
  thread_count: row.q_thread_count!,
  pace: row.q_pace!,
  closed_by: row.q_closed_by!,
  parent_post_id: row.q_parent_post_id!,
  replied_post_id: row.q_replied_post_id!,
  username: row.q_username!,
  display_name: row.q_display_name!,
  face: row.q_face!,
  is_namesake: row.q_is_namesake!,
  newcomer_until: row.q_newcomer_until!,
});

type NodeColumns = Pick<AuthoredRow, (typeof nodeColumns)[number] | keyof Names> & { node_id: number };

/** The row of a reply that the queries of a thread have read. To complete their row in place takes twice as long as this list. */
export const placed = (row: NodeColumns, rootId: number, repliedId: number | null): AuthoredRow => ({
  id: row.node_id,
  user_id: row.user_id,
  text: row.text,
  created_at: row.created_at,
  modified_at: row.modified_at,
  likes_count: row.likes_count,
  replies_count: row.replies_count,
  thread_count: 0,
  pace: noRules.pace,
  closed_by: noRules.closed_by,
  parent_post_id: rootId,
  replied_post_id: repliedId,
  username: row.username,
  display_name: row.display_name,
  face: row.face,
  is_namesake: row.is_namesake,
  newcomer_until: row.newcomer_until,
});

/** What the author of a post sends. A column that may be null may be left out. */
export type Content = Pick<Insertable<Schema['pending_posts']>, (typeof contentColumns)[number]>;

export const contentOf = (row: Content): Row<(typeof contentColumns)[number]> => ({ text: row.text });

export interface NewPost extends Content {
  userId: number;
  now: number;
  /** The post was pending. The pace of its discussion was checked when it was written, and is not checked again. */
  wasPending?: boolean;
}

/** The row of a post at its publication. */
export const newRow = (post: NewPost & { id: number }, names: Names): AuthoredRow => ({
  id: post.id,
  user_id: post.userId,
  ...contentOf(post),
  created_at: post.now,
  modified_at: null,
  likes_count: 0,
  replies_count: 0,
  thread_count: 0,
  pace: noRules.pace,
  closed_by: noRules.closed_by,
  username: names.username,
  display_name: names.display_name,
  face: names.face,
  is_namesake: names.is_namesake,
  newcomer_until: names.newcomer_until,
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
