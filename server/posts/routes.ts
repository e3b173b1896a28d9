import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as schema from '#contract/posts.schema.ts';
import * as posts from '#contract/posts.ts';
import type { Database, Tag } from '../db/database.ts';
import type { PersonalJson } from '../http/answer.ts';
import type { Built, Memory } from '../http/memory.ts';
import { serve } from '../http/serve.ts';
import { listHiddenOf } from '../order/hidden-posts.ts';
import { callerOf } from '../sessions/guard.ts';
import { personalTo, PostsAnswer } from './posts-answer.ts';
import { idOf, orMissing, pageOf, placeOf } from './requests.ts';
import { tagsOf } from './rows.ts';
import { type ListQuery, parseId, type PostList } from './rules.ts';
import { findPost, listFeed, listLiked, listPostsOf, listRepliesOf, listRepliesTo } from './store.ts';

const noPosts: PostList = { posts: [], total: 0 };

export function postRoutes(app: FastifyInstance, { db, memory }: { db: Database; memory: Memory<PostsAnswer> }): void {
  serve(app, posts.listPosts, schema.listPosts, ({ query, request }) => {
    if (query.filter === 'liked') return own(request, query, listLiked);
    const page = query.userId === undefined ? feed(query) : postsOf(query.userId, query);
    return forViewer(page, request);
  });

  serve(app, posts.getPost, schema.getPost, ({ params, request }) => {
    const id = idOf(params);
    const found = held(`post ${id}`, async () => {
      const post = await findPost(db.read, id);
      return post && { answer: new PostsAnswer(post, [post]), tags: tagsOf([post]) };
    });
    return forViewer(found, request);
  });

  serve(app, posts.listReplies, schema.listReplies, ({ params, query, request }) => {
    const { place, limit, key } = placeOf(query);
    const id = idOf(params);
    const page = list(`replies ${id} ${key}`, limit, [`replies:${id}`, `post:${id}`], () =>
      listRepliesTo(db.read, id, place, limit),
    );
    return forViewer(page, request);
  });

  serve(app, posts.listOwnReplies, schema.listOwnReplies, ({ query, request }) => own(request, query, listRepliesOf));

  serve(app, posts.listHidden, schema.listHidden, async ({ request }) => ({
    posts: await listHiddenOf(db.read, callerOf(request).userId),
  }));

  /** A list that is nobody else's: held nowhere. */
  async function own(request: FastifyRequest, asked: ListQuery, read: typeof listLiked): Promise<PersonalJson> {
    const { userId } = callerOf(request);
    const { place, limit } = placeOf(asked);
    const page = pageOf(await read(db.read, userId, place, limit), limit);
    return personalTo(userId, db, new PostsAnswer(page, page.posts));
  }

  function feed(asked: ListQuery): Held {
    const { place, limit, key } = placeOf(asked);
    return list(`feed ${key}`, limit, ['feed'], () => listFeed(db.read, place, limit));
  }

  function postsOf(userId: string, asked: ListQuery): Held {
    const { place, limit, key } = placeOf(asked);
    const id = parseId(userId);
    if (id === undefined) return new PostsAnswer(pageOf(noPosts, limit), []);
    return list(`of ${id} ${key}`, limit, [`posts-of:${id}`], () => listPostsOf(db.read, id, place, limit));
  }

  function list(key: string, limit: number, tags: Tag[], read: () => Promise<PostList | undefined>): Held {
    return held(key, async () => {
      const found = await read();
      if (!found) return undefined;
      const page = pageOf(found, limit);
      return { answer: new PostsAnswer(page, page.posts), tags: [...tags, ...tagsOf(page.posts)] };
    });
  }

  /** What everybody gets is held ready; a signed-in viewer's own likes are put into it. */
  function held(key: string, make: () => Promise<Built<PostsAnswer> | undefined>): Held {
    return memory.get(key) ?? memory.build(key, make).then(orMissing);
  }

  function forViewer(answer: Held, { caller }: FastifyRequest): Held | Promise<PersonalJson> {
    return caller ? personal(caller.userId, answer) : answer;
  }

  async function personal(userId: number, answer: Held): Promise<PersonalJson> {
    return personalTo(userId, db, await answer);
  }
}

type Held = PostsAnswer | Promise<PostsAnswer>;
