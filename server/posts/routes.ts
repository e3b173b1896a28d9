import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/posts.schema.ts';
import * as posts from '#contract/posts.ts';
import type { Database, Tag } from '../db/database.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { ApiError } from '../http/api-error.ts';
import type { Memory } from '../http/memory.ts';
import { serve } from '../http/serve.ts';
import { tagsOf } from './rows.ts';
import { parseId, readPlace, toPage } from './rules.ts';
import { findPost, listFeed, listPostsOf, listRepliesTo, type PostList } from './store.ts';

const noPosts: PostList = { posts: [], total: 0 };

export function postRoutes(app: FastifyInstance, { db, memory }: { db: Database; memory: Memory }): void {
  serve(app, posts.listPosts, schema.listPosts, ({ query }) => {
    if (query.filter === 'liked') throw new ApiError('UNAUTHORIZED');
    return query.userId === undefined ? feed(query) : postsOf(query.userId, query);
  });

  const feed = (query: Parameters<typeof readPlace>[0]): Answer | Promise<Answer> => {
    const { place, limit, key } = readPlace(query);
    return list(`feed ${key}`, limit, ['feed'], () => listFeed(db.read, place, limit));
  };

  const postsOf = (userId: string, query: Parameters<typeof readPlace>[0]): Answer | Promise<Answer> => {
    const { place, limit, key } = readPlace(query);
    const id = parseId(userId);
    if (id === undefined) return jsonAnswer(toPage(noPosts, limit));
    return list(`of ${id} ${key}`, limit, [`posts-of:${id}`], () => listPostsOf(db.read, id, place, limit));
  };

  serve(app, posts.getPost, schema.getPost, ({ params }) => {
    const id = parseId(params.id);
    if (id === undefined) throw new ApiError('NOT_FOUND');
    return held(`post ${id}`, async () => {
      const post = await findPost(db.read, id);
      return post && { answer: jsonAnswer(post), tags: tagsOf([post]) };
    });
  });

  serve(app, posts.listReplies, schema.listReplies, ({ params, query }) => {
    const { place, limit, key } = readPlace(query);
    const id = parseId(params.id);
    if (id === undefined) throw new ApiError('NOT_FOUND');
    return list(`replies ${id} ${key}`, limit, [`replies:${id}`, `post:${id}`], () =>
      listRepliesTo(db.read, id, place, limit),
    );
  });

  function list(
    key: string,
    limit: number,
    tags: Tag[],
    read: () => Promise<PostList | undefined>,
  ): Answer | Promise<Answer> {
    return held(key, async () => {
      const found = await read();
      if (!found) return undefined;
      const page = toPage(found, limit);
      return { answer: jsonAnswer(page), tags: [...tags, ...tagsOf(page.posts)] };
    });
  }

  function held(key: string, make: Parameters<Memory['build']>[1]): Answer | Promise<Answer> {
    return memory.get(key) ?? memory.build(key, make).then(orMissing);
  }
}

function orMissing(answer: Answer | undefined): Answer {
  if (!answer) throw new ApiError('NOT_FOUND');
  return answer;
}
