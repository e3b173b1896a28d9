import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as schema from '#contract/posts.schema.ts';
import * as posts from '#contract/posts.ts';
import type { Database, Tag } from '../db/database.ts';
import { PersonalJson } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import type { Built, Memory } from '../http/memory.ts';
import { serve } from '../http/serve.ts';
import { findLiked } from './liked.ts';
import { PostsAnswer } from './posts-answer.ts';
import { tagsOf } from './rows.ts';
import { type ListPlace, type ListQuery, parseId, type PostList, readPlace, toPage } from './rules.ts';
import { findPost, listFeed, listPostsOf, listRepliesTo } from './store.ts';

const noPosts: PostList = { posts: [], total: 0 };

export function postRoutes(app: FastifyInstance, { db, memory }: { db: Database; memory: Memory<PostsAnswer> }): void {
  serve(app, posts.listPosts, schema.listPosts, ({ query, request }) => {
    if (query.filter === 'liked') throw new ApiError('UNAUTHORIZED');
    const page = query.userId === undefined ? feed(query) : postsOf(query.userId, query);
    return forViewer(page, request);
  });

  serve(app, posts.getPost, schema.getPost, ({ params, request }) => {
    const id = parseId(params.id);
    if (id === undefined) throw new ApiError('NOT_FOUND');
    const found = held(`post ${id}`, async () => {
      const post = await findPost(db.read, id);
      return post && { answer: new PostsAnswer(post, [post]), tags: tagsOf([post]) };
    });
    return forViewer(found, request);
  });

  serve(app, posts.listReplies, schema.listReplies, ({ params, query, request }) => {
    const { place, limit, key } = placeOf(query);
    const id = parseId(params.id);
    if (id === undefined) throw new ApiError('NOT_FOUND');
    const page = list(`replies ${id} ${key}`, limit, [`replies:${id}`, `post:${id}`], () =>
      listRepliesTo(db.read, id, place, limit),
    );
    return forViewer(page, request);
  });

  function feed(asked: ListQuery): Held {
    const { place, limit, key } = placeOf(asked);
    return list(`feed ${key}`, limit, ['feed'], () => listFeed(db.read, place, limit));
  }

  function postsOf(userId: string, asked: ListQuery): Held {
    const { place, limit, key } = placeOf(asked);
    const id = parseId(userId);
    if (id === undefined) return new PostsAnswer(toPage(noPosts, limit), []);
    return list(`of ${id} ${key}`, limit, [`posts-of:${id}`], () => listPostsOf(db.read, id, place, limit));
  }

  function list(key: string, limit: number, tags: Tag[], read: () => Promise<PostList | undefined>): Held {
    return held(key, async () => {
      const found = await read();
      if (!found) return undefined;
      const page = toPage(found, limit);
      return { answer: new PostsAnswer(page, page.posts), tags: [...tags, ...tagsOf(page.posts)] };
    });
  }

  /** What everybody gets is held ready; a signed-in viewer's own likes are put into it. */
  function held(key: string, make: () => Promise<Built<PostsAnswer> | undefined>): Held {
    return memory.get(key) ?? memory.build(key, make).then(orMissing);
  }

  function forViewer(answer: Held, { caller }: FastifyRequest): Held | Promise<PersonalJson> {
    return caller ? personal(answer, caller.userId) : answer;
  }

  async function personal(common: Held, userId: number): Promise<PersonalJson> {
    const answer = await common;
    return new PersonalJson(answer.bodyFor(await findLiked(db.read, userId, answer.ids)));
  }
}

type Held = PostsAnswer | Promise<PostsAnswer>;

function placeOf(asked: ListQuery): ListPlace {
  const place = readPlace(asked);
  if (!place) throw new ApiError('INVALID_REQUEST');
  return place;
}

function orMissing(answer: PostsAnswer | undefined): PostsAnswer {
  if (!answer) throw new ApiError('NOT_FOUND');
  return answer;
}
