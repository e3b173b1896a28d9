import type { Insertable, Kysely, Selectable } from 'kysely';
import { limits } from '#contract/limits.ts';
import { ruleOf } from '#contract/pace.ts';
import type { Owner, Post, QuotedPost, WrittenPost } from '#contract/posts.ts';
import type { Tag } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { shownColumns, shownColumnsOfU } from '../../names/shown-names.ts';

/** The columns of a post itself. The lists below add its place in the discussion and its counts. */
const ownColumns = ['id', 'user_id', 'text', 'created_at', 'modified_at'] as const;
const threadColumns = ['parent_post_id', 'replied_post_id'] as const;
const countColumns = ['likes_count', 'replies_count', 'thread_count'] as const;

/** The columns that a withdrawn post keeps and the export contains. The counts are made again when a post is restored. */
export const storedColumns = [...ownColumns, ...threadColumns, 'depth', 'pace'] as const;

const rootColumns = [...ownColumns, ...countColumns, 'pace'] as const;
/** The columns of a reply that its place in a thread does not give. */
export const nodeColumns = ['user_id', 'text', 'created_at', 'modified_at', 'likes_count', 'replies_count'] as const;
export const postColumns = [...ownColumns, ...threadColumns, ...countColumns, 'pace'] as const;

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

/** What a post shows of its author. */
export const authorColumns = [...shownColumns, 'newcomer_until'] as const;
export type Names = Pick<Selectable<Schema['users']>, (typeof authorColumns)[number]>;
export const nameColumns = [...shownColumnsOfU, 'u.newcomer_until'] as const;
/** The same of the post that is replied to. */
export const quotedNames = [
  'qu.username as q_username',
  'qu.display_name as q_display_name',
  'qu.face as q_face',
  'qu.newcomer_until as q_newcomer_until',
  'qu.is_namesake as q_is_namesake',
] as const;

export type AuthoredRow = Row<(typeof rootColumns)[number]> & Partial<Row<(typeof threadColumns)[number]>> & Names;

/** A post with its author and, unless it is a root post, what it replies to. */
export type PostRow = AuthoredRow & Partial<Quoted>;

/** Root posts, `from posts as p …`: callers add where, order and limit. */
export function selectRootPosts(db: Kysely<Schema>) {
  return selectAuthored(db).where('p.replied_post_id', 'is', null);
}

/** Posts of both kinds. Reading what a post replies to would double the cost of a page of root posts. */
export function selectPosts(db: Kysely<Schema>) {
  return selectAuthored(db)
    .leftJoin('posts as q', 'q.id', 'p.replied_post_id')
    .leftJoin('users as qu', (join) => join.onRef('qu.id', '=', 'q.user_id').on(isNotDeleted('qu')))
    .select(threadColumns.map((column) => `p.${column}` as const))
    .select(postColumns.map((column) => `q.${column} as q_${column}` as Prefixed<Column>))
    .select(quotedNames);
}

/** Callers say which posts. */
export function selectAuthored(db: Kysely<Schema>) {
  return db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(rootColumns.map((column) => `p.${column}` as const))
    .select(nameColumns);
}

const idOrNull = (id: number | null = null): string | null => (id === null ? null : String(id));

/** The part that lists, withdrawn posts and the export have in common. */
export function toWritten({ id, text, created_at, modified_at }: Row<(typeof ownColumns)[number]>): WrittenPost {
  const written = { id: String(id), text, created_at, is_modified: modified_at !== null };
  return modified_at === null ? written : { ...written, modified_at };
}

/** The post as a visitor sees it. */
export const toPost = (row: PostRow): Post => toPostWith(row, row.q_username ? quotedRow(row) : undefined);

/** The same; what it replies to comes from a row of its own. */
export const toPostWith = (row: AuthoredRow, replied: AuthoredRow | undefined): Post =>
  withAuthor(row, replied ? toQuoted(replied) : null);

/** A post without what it replies to. */
export const toQuoted = (row: AuthoredRow): QuotedPost => withAuthor(row, null);

/** Lists the fields of `toWritten` again: to spread them would take as long as the rest of a post. */
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
  if (row.pace !== 0) Object.assign(actions, ruleOf(row.pace));
  return modified_at === null
    ? { id, text, created_at, is_modified: false, owner, actions }
    : { id, text, created_at, is_modified: true, modified_at, owner, actions };
}

/** For posts of a newcomer it says until when. A later time was recorded by a clock that was ahead. */
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

/** The row of the quoted post, whose columns are null only when the post or its author is missing. */
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
  };
}

type NodeColumns = Pick<AuthoredRow, (typeof nodeColumns)[number] | keyof Names> & { node_id: number };

/** The row of a reply from the queries of a thread, which leave out what its place says. */
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
    parent_post_id: rootId,
    replied_post_id: repliedId,
  };
}

/** What its author writes of a post. One that waits for a moderator has it too. */
type Content = Pick<Insertable<Schema['posts']>, 'text'>;

export const contentOf = ({ text }: Content): Content => ({ text });

export interface NewPost extends Content {
  userId: number;
  now: number;
  /** The pace of its discussion was observed when it was written. */
  hasWaited?: boolean;
}

interface NewPostRow extends NewPost {
  parentId: number | null;
  repliedTo: number | null;
  depth: number;
}

export const insertPost = prepared<NewPostRow, { id: number }>((db, slot) =>
  db
    .insertInto('posts')
    .values({
      user_id: slot('userId'),
      text: slot('text'),
      created_at: slot('now'),
      parent_post_id: slot('parentId'),
      replied_post_id: slot('repliedTo'),
      depth: slot('depth'),
    })
    .returning('id'),
);

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
});

/** The tags of everything that these posts show. */
export function tagsOf(posts: ReadonlyArray<Post | QuotedPost>): Tag[] {
  return posts.flatMap((post): Tag[] => {
    const quoted = post.actions.replied_post;
    if (quoted) return [...ownTags(post), ...ownTags(quoted)];
    if ('last_reply' in post && post.last_reply) return [...ownTags(post), ...ownTags(post.last_reply)];
    const missing = post.actions.replied_post_id;
    // It may be restored.
    return missing === null ? ownTags(post) : [...ownTags(post), `post:${Number(missing)}`];
  });
}

const ownTags = ({ id, owner }: Pick<Post, 'id' | 'owner'>): Tag[] => [
  `post:${Number(id)}`,
  `user:${Number(owner.id)}`,
];
