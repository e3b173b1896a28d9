import type { Aside, Post, PostPage, QuotedPost } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import type { Database } from '../../../db/database.ts';
import { ApiError } from '../../../http/thrown-api-error.ts';
import { orInvalid, orNotFound } from '../../../http/serve.ts';
import { jsonType, PersonalJson, ReadyResponse } from '../../../http/response.ts';
import {
  type FeedStart,
  type ListPart,
  type ListQuery,
  type PageStart,
  type PostList,
  readFeedPart,
  readListPart,
  toPage,
} from '../post-rules.ts';
import { listNews } from '../../following/following.ts';
import { nameMentioned } from '../../../names/mentioned.ts';
import { isOwnGated } from '../gate.ts';
import { top } from '../../lists/list-pages.ts';
import { findLiked, findPost } from '../../lists/post-lists.ts';
import { type Part, readPart, type ThreadQuery } from '../../threads/thread-rules.ts';

export type FeedQuery = ListQuery & { userId?: string; filter?: string };

export const listPartOf = (asked: ListQuery): ListPart => orInvalid(readListPart(asked));

export const feedPartOf = (asked: ListQuery): ListPart<FeedStart> => orInvalid(readFeedPart(asked));

/** Whether the right column is asked for, which belongs to the beginning of the feed's lists. */
export function asksForAside({ aside, page = '1', filter = 'all', ...query }: FeedQuery): boolean {
  if (aside === undefined) return false;
  const elsewhere = query.cursor ?? query.before ?? query.at ?? (query.userId || undefined);
  if (page !== '1' || filter !== 'all' || elsewhere !== undefined) throw new ApiError('INVALID_REQUEST');
  return true;
}

/** The list continues with keys below this one. */
export const belowOf = (start: PageStart): number => ('below' in start ? start.below : top);

export const partOf = (id: number, asked: ThreadQuery): Part => orInvalid(readPart(id, asked));

/** The list in the form of the contract. Refuses a page that only a cursor can reach. */
export function pageOf(list: PostList, limit: number): PostPage {
  if (list.tooDeep) {
    throw new ApiError('INVALID_REQUEST', {
      message:
        'Эта страница слишком далеко, чтобы открыть её по номеру. Передайте cursor: это next из прошлого ответа.',
    });
  }
  return toPage(list, limit);
}

export function acceptText(raw: string): string {
  const result = normalizePostText(raw);
  if (!result.ok) throw new ApiError('INVALID_REQUEST', { message: result.reason });
  return result.text;
}

const likedKey = '"is_liked":';
const notLiked = `${likedKey}false`;
/** As long as `false`, which it overwrites: JSON allows white space after a value. */
const paddedTrue = 'true ';
/** The end of a response with a right column in which the visitor follows no discussion. */
const nothingFollowed = '[]}}';

/**
 * A response with posts as visitors get it. The response for a signed-in viewer is made from it by overwriting a few
 * bytes. Quotation marks in texts are escaped, so the searched bytes occur only in the field `is_liked` of a post.
 */
export class PostsResponse extends ReadyResponse {
  /** The ids of the posts and of the posts they quote, in the order of the body. */
  readonly ids: readonly number[];
  /** The posts with at least one like. */
  readonly likedIds: readonly number[];
  readonly hasAside: boolean;
  #places: number[] | undefined;

  constructor(value: object, posts: ReadonlyArray<Post | QuotedPost>) {
    super(JSON.stringify(value), jsonType);
    const [ids, likedIds]: [number[], number[]] = [[], []];
    const add = ({ id, actions }: Post | QuotedPost): void => {
      ids.push(Number(id));
      if (actions.likes_count > 0) likedIds.push(Number(id));
      if (actions.replied_post) add(actions.replied_post);
    };
    for (const post of posts) add(post);
    this.ids = ids;
    this.likedIds = likedIds;
    this.hasAside = 'aside' in value;
  }

  /** The body for a viewer who likes these posts, and follows these discussions. */
  bodyFor(liked: ReadonlySet<number>, following: Aside['following']): Buffer {
    const places = (this.#places ??= this.#findPlaces());
    const body = Buffer.from(this.body);
    for (const [i, id] of this.ids.entries()) if (liked.has(id)) body.write(paddedTrue, places[i]!, 'latin1');
    if (following.length === 0) return body;
    return Buffer.concat([body.subarray(0, -nothingFollowed.length), Buffer.from(`${JSON.stringify(following)}}}`)]);
  }

  /** The offset of the value of `is_liked` of each post. */
  #findPlaces(): number[] {
    let from = 0;
    return this.ids.map(() => {
      from = this.body.indexOf(notLiked, from) + likedKey.length;
      return from;
    });
  }
}

/** The posts in the order of the JSON body, where the pinned post comes after the list. */
export const withPinnedLast = (posts: readonly Post[], { pinned }: { pinned?: Post | null }): readonly Post[] =>
  pinned ? [...posts, pinned] : posts;

/** The response for one person, with the person's likes and followed discussions. */
export async function personalTo(userId: number, db: Database, response: PostsResponse): Promise<PersonalJson> {
  const following = response.hasAside ? await listNews(db.read, userId) : [];
  const liked = await findLiked(db.read, userId, response.likedIds);
  if (liked.size === 0 && following.length === 0) return new PersonalJson(response.body, response);
  return new PersonalJson(response.bodyFor(liked, following));
}

/** Adds `may_edit: false` to the author's own post when its text must not be changed. */
export async function withMayEdit(
  db: Database,
  { id, userId }: { id: number; userId: number },
  json: PersonalJson,
): Promise<PersonalJson> {
  if (!(await isOwnGated(db.read, id, userId))) return json;
  return new PersonalJson(Buffer.concat([json.body.subarray(0, -1), Buffer.from(',"may_edit":false}')]));
}

/** The current state of a post, for one person. */
export async function personalPost(db: Database, id: number, userId: number): Promise<PersonalJson> {
  const post = orNotFound(await findPost(db.read, id));
  return ownPost(db, post, userId);
}

/** The response to the person who has written or changed the post. */
export async function ownPost(db: Database, post: Post, userId: number): Promise<PersonalJson> {
  await nameMentioned(db.read, [post]);
  return personalTo(userId, db, new PostsResponse(post, [post]));
}
