import type { PageContent } from '#contract/page.ts';
import { limits } from '#contract/limits.ts';
import { currentNameOf } from '../account/left-names.ts';
import { findUser } from '../account/store.ts';
import type { Database, Tag } from '../db/database.ts';
import { tagsOf } from '../posts/rows.ts';
import { parseCursor, parseId, type Place, toPage } from '../posts/rules.ts';
import { findPost, listFeed, listPostsOf, listRepliesTo } from '../posts/store.ts';

/** What a page shows, and everything whose change makes it wrong; what is missing may appear without a word. */
export interface FoundContent {
  content: PageContent;
  tags?: Tag[];
  /** Where the page is now, when it is not here. */
  movedTo?: string;
}

const size = limits.pageSize;
export const notFound: FoundContent = { content: { kind: 'not-found' } };
/** The same for everyone: the server does not know whose page this is. */
export const secured: FoundContent = { content: { kind: 'secured' }, tags: [] };
export const emailUndo: FoundContent = { content: { kind: 'email-undo' }, tags: [] };
const postNotFound: FoundContent = { content: { kind: 'post-not-found' } };

/** Without a script people page by links that carry a cursor; a broken one leads nowhere. */
function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return { page: 1 };
  const after = parseCursor(cursor);
  return after === undefined ? undefined : { after };
}

export async function feedContent(db: Database, cursor: string | undefined): Promise<FoundContent> {
  const place = placeOf(cursor);
  if (!place) return notFound;
  const page = toPage(await listFeed(db.read, place, size), size);
  return { content: { kind: 'feed', page }, tags: ['feed', ...tagsOf(page.posts)] };
}

export async function postContent(db: Database, rawId: string, cursor: string | undefined): Promise<FoundContent> {
  const id = parseId(rawId);
  const place = placeOf(cursor);
  if (id === undefined || !place) return postNotFound;
  const [post, replies] = await Promise.all([findPost(db.read, id), listRepliesTo(db.read, id, place, size)]);
  if (!post || !replies) return postNotFound;
  const page = toPage(replies, size);
  return {
    content: { kind: 'post', post, replies: page },
    tags: [`replies:${id}`, ...tagsOf([post, ...page.posts])],
  };
}

export async function userContent(
  db: Database,
  { username, cursor, now }: { username: string; cursor: string | undefined; now: number },
): Promise<FoundContent> {
  const place = placeOf(cursor);
  const user = await findUser(db.read, username);
  if (!user) {
    const current = await currentNameOf(db.read, username, now);
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    return current === undefined ? notFound : { ...notFound, movedTo: `/users/${current}${query}` };
  }
  if (!place) return notFound;
  const id = Number(user.id);
  const page = toPage(await listPostsOf(db.read, id, place, size), size);
  return {
    content: { kind: 'user', user, page },
    tags: [`user:${id}`, `posts-of:${id}`, ...tagsOf(page.posts)],
  };
}
