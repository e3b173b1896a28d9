import type { FastifyInstance, FastifyReply } from 'fastify';
import { documentTitle, userSummary, wallSummary } from '#contract/page.ts';
import { currentNameOf } from '../account/left-names.ts';
import { findUser } from '../account/store.ts';
import type { Database } from '../db/database.ts';
import { Answer, redirectTo } from '../http/answer.ts';
import type { Built, Memory } from '../http/memory.ts';
import { tagsOf } from '../posts/rows.ts';
import { type Place, readPlace, toPage } from '../posts/rules.ts';
import { listFeed, listPostsOf } from '../posts/store.ts';
import { atomFeed, type Feed } from './atom.ts';
import { securityTxt, securityTxtPath } from './security-txt.ts';
import { authorsPart, idsInPart, partOf, sitemapIndex, sitemapPart } from './sitemap.ts';
import { authorsBetween, newestAccount, newestRootPost, rootPostsBetween } from './store.ts';

export interface DiscoveryOptions {
  db: Database;
  memory: Memory;
  appName: string;
  publicUrl: string;
  /** Whom to tell of a vulnerability. */
  contact: string | undefined;
  /** Unix seconds. */
  now: () => number;
}

interface FeedRequest {
  Params: { username: string };
  Querystring: { cursor?: string | string[] };
}

const feedLength = 20;
const atomType = 'application/atom+xml; charset=utf-8';
const xmlType = 'application/xml; charset=utf-8';

const cursorOf = ({ cursor }: FeedRequest['Querystring']): string | undefined => [cursor].flat()[0];
/** Undefined for a cursor that is none of ours. */
const placeAfter = (cursor: string | undefined): Place | undefined =>
  readPlace(cursor === undefined ? {} : { cursor })?.place;

/** By what programs find the wall and follow it: feeds for readers, the sitemap for search engines. */
export function discoveryRoutes(app: FastifyInstance, options: DiscoveryOptions): void {
  const { db, memory, appName, publicUrl, contact, now } = options;

  app.get<FeedRequest>('/feed.xml', ({ query }, reply) => {
    const cursor = cursorOf(query);
    return send(reply, `feed ${cursor ?? ''}`, async () => {
      const place = placeAfter(cursor);
      if (!place) return undefined;
      const { posts, next } = toPage(await listFeed(db.read, place, feedLength), feedLength);
      const feed = { title: appName, summary: wallSummary, page: '/', posts, since: 0, cursor, next };
      return { answer: atom(feed), tags: ['feed', ...tagsOf(posts)] };
    });
  });

  app.get<FeedRequest>('/users/:username/feed.xml', ({ params, query }, reply) => {
    const cursor = cursorOf(query);
    return send(reply, `feed of ${params.username} ${cursor ?? ''}`, async () => {
      const place = placeAfter(cursor);
      const user = await findUser(db.read, params.username);
      if (!place) return undefined;
      if (!user) {
        const current = await currentNameOf(db.read, params.username, now());
        const search = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
        return current === undefined
          ? undefined
          : { answer: redirectTo(`/users/${current}/feed.xml${search}`), tags: undefined };
      }
      const id = Number(user.id);
      const { posts, next } = toPage(await listPostsOf(db.read, id, place, feedLength), feedLength);
      const { username, created_at: since } = user;
      const title = documentTitle(username, appName);
      const feed = { title, summary: userSummary(username), page: `/users/${username}`, posts, since, cursor, next };
      return { answer: atom(feed), tags: [`user:${id}`, `posts-of:${id}`, ...tagsOf(posts)] };
    });
  });

  app.get('/sitemap.xml', (_request, reply) =>
    send(reply, 'sitemap', async () => {
      const newest = { post: await newestRootPost(db.read), account: await newestAccount(db.read) };
      const answer = new Answer(sitemapIndex(newest, publicUrl), xmlType);
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

  app.get<{ Params: { part: string } }>('/sitemap-authors-:part(^\\d{1,9}).xml', ({ params }, reply) =>
    send(reply, `sitemap of authors ${params.part}`, async () => {
      const part = Number(params.part);
      if (part > partOf(await newestAccount(db.read))) return undefined;
      const from = part * idsInPart;
      const authors = await authorsBetween(db.read, { from, to: from + idsInPart });
      const tags = authors.map(({ id }) => `user:${id}` as const);
      return { answer: new Answer(authorsPart(authors, publicUrl), xmlType), tags: ['feed', ...tags] };
    }),
  );

  if (contact !== undefined) {
    app.get(securityTxtPath, (_request, reply) =>
      reply.answer(new Answer(securityTxt(contact, publicUrl, now()), 'text/plain; charset=utf-8')),
    );
  }

  const atom = (feed: Feed): Answer => new Answer(atomFeed(feed, publicUrl), atomType);

  async function send(reply: FastifyReply, key: string, make: () => Promise<Built | undefined>): Promise<FastifyReply> {
    const answer = memory.get(key) ?? (await memory.build(key, make));
    if (answer) return reply.answer(answer);
    reply.callNotFound();
    return reply;
  }
}
