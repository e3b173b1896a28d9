import type { FastifyInstance, FastifyReply } from 'fastify';
import { documentTitle, userSummary, wallSummary } from '#contract/page.ts';
import { currentNameOf } from '../account/left-names.ts';
import { findUser } from '../account/store.ts';
import type { Database } from '../db/database.ts';
import { Answer, redirectTo } from '../http/answer.ts';
import type { Built, Memory } from '../http/memory.ts';
import { tagsOf } from '../posts/rows.ts';
import { toPage } from '../posts/rules.ts';
import { listFeed, listPostsOf } from '../posts/store.ts';
import { atomFeed, type Feed } from './atom.ts';
import { idsInPart, partOf, sitemapIndex, sitemapPart } from './sitemap.ts';
import { newestRootPost, rootPostsBetween } from './store.ts';

export interface DiscoveryOptions {
  db: Database;
  memory: Memory;
  appName: string;
  publicUrl: string;
  /** Unix seconds. */
  now: () => number;
}

const feedLength = 20;
const newest = { page: 1 };
const atomType = 'application/atom+xml; charset=utf-8';
const xmlType = 'application/xml; charset=utf-8';

/** By what programs find the wall and follow it: feeds for readers, the sitemap for search engines. */
export function discoveryRoutes(app: FastifyInstance, { db, memory, appName, publicUrl, now }: DiscoveryOptions): void {
  app.get('/feed.xml', (_request, reply) =>
    send(reply, 'feed', async () => {
      const { posts } = toPage(await listFeed(db.read, newest, feedLength), feedLength);
      const feed = { title: appName, summary: wallSummary, page: '/', posts, since: 0 };
      return { answer: atom(feed), tags: ['feed', ...tagsOf(posts)] };
    }),
  );

  app.get<{ Params: { username: string } }>('/users/:username/feed.xml', ({ params }, reply) =>
    send(reply, `feed of ${params.username}`, async () => {
      const user = await findUser(db.read, params.username);
      if (!user) {
        const current = await currentNameOf(db.read, params.username, now());
        return current === undefined
          ? undefined
          : { answer: redirectTo(`/users/${current}/feed.xml`), tags: undefined };
      }
      const id = Number(user.id);
      const { posts } = toPage(await listPostsOf(db.read, id, newest, feedLength), feedLength);
      const { username, created_at: since } = user;
      const title = documentTitle(username, appName);
      const feed = { title, summary: userSummary(username), page: `/users/${username}`, posts, since };
      return { answer: atom(feed), tags: [`user:${id}`, `posts-of:${id}`, ...tagsOf(posts)] };
    }),
  );

  app.get('/sitemap.xml', (_request, reply) =>
    send(reply, 'sitemap', async () => {
      const answer = new Answer(sitemapIndex(await newestRootPost(db.read), publicUrl), xmlType);
      return { answer, tags: ['feed'] };
    }),
  );

  app.get<{ Params: { part: string } }>('/sitemap-:part(^\\d{1,9}).xml', ({ params }, reply) =>
    send(reply, `sitemap ${params.part}`, async () => {
      const part = Number(params.part);
      if (part > partOf(await newestRootPost(db.read))) return undefined;
      const from = part * idsInPart;
      const posts = await rootPostsBetween(db.read, { from, to: from + idsInPart });
      return { answer: new Answer(sitemapPart(part, posts, publicUrl), xmlType), tags: ['feed'] };
    }),
  );

  const atom = (feed: Feed): Answer => new Answer(atomFeed(feed, publicUrl), atomType);

  async function send(reply: FastifyReply, key: string, make: () => Promise<Built | undefined>): Promise<FastifyReply> {
    const answer = memory.get(key) ?? (await memory.build(key, make));
    if (answer) return reply.answer(answer);
    reply.callNotFound();
    return reply;
  }
}
