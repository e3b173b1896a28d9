import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { addresses, siteFiles } from '#contract/addresses.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';
import { isNotDeleted } from '../db/visibility.ts';
import type { BuiltResponse, ResponseCache } from '../http/response-cache.ts';
import { ReadyResponse } from '../http/response.ts';
import { routePath } from '../http/serve.ts';
import type { VisitorShare } from '../limits/read-shares-http.ts';
import { escapeXml, xmlDeclaration, xmlTime } from './xml.ts';

const newestRoot = prepared<object, { id: number }>((db) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('replied_post_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(sql<number>`1`),
);

/** The id of the newest root post; 0 on an empty wall. */
async function newestRootPost(db: Kysely<Schema>): Promise<number> {
  const [post] = await newestRoot(db, {});
  return post?.id ?? 0;
}

const newestUser = prepared<object, { id: number }>((db) =>
  db
    .selectFrom('users')
    .select('id')
    .orderBy('id', 'desc')
    .limit(sql<number>`1`),
);

/** The id of the newest account; 0 on an empty wall. */
async function newestAccount(db: Kysely<Schema>): Promise<number> {
  const [user] = await newestUser(db, {});
  return user?.id ?? 0;
}

/** Accounts with root posts and with ids from `from` up to but not including `to`. */
const authorsBetween = prepared<{ from: number; to: number }, { id: number; username: string }>((db, slot) =>
  db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '>=', slot('from'))
    .where('id', '<', slot('to'))
    .where('posts_count', '>', sql<number>`0`)
    .where(isNotDeleted('users'))
    .orderBy('id'),
);

/** Root posts with ids from `from` up to but not including `to`, oldest first. */
const rootPostsBetween = prepared<{ from: number; to: number }, { id: number; created_at: number }>((db, slot) =>
  db
    .selectFrom('posts as p')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'p.user_id').on(isNotDeleted('u')))
    .select(['p.id', 'p.created_at'])
    .where('p.replied_post_id', 'is', null)
    .where('p.id', '>=', slot('from'))
    .where('p.id', '<', slot('to'))
    .orderBy('p.id'),
);

export interface SitemapOptions {
  cache: ResponseCache;
  publicUrl: string;
  visitors: VisitorShare;
}

/** Ids of posts or accounts in a part of the sitemap, which is read in a few milliseconds. An index may have 50,000 parts. */
export const idsInPart = 2_000;

const fixedPages = [
  addresses.feed.href(),
  ...(['about', 'rules', 'privacy', 'api'] as const).map((name) => addresses.wallText.href({ name })),
];

const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The sitemap for search engines: an index, parts with root posts and parts with authors. */
export function sitemapRoutes(app: FastifyInstance, { cache, publicUrl, visitors }: SitemapOptions): void {
  app.get(siteFiles.sitemap.path, (_request, reply) =>
    send(reply, 'sitemap', async (from) => {
      const posts = partsUpTo(await newestRootPost(from), siteFiles.sitemapPart);
      const authors = partsUpTo(await newestAccount(from), siteFiles.sitemapAuthorsPart);
      const parts = [...posts, ...authors].map((part) => `<sitemap>${location(part)}</sitemap>`);
      return { response: xml('sitemapindex', parts), tags: ['feed'] };
    }),
  );

  app.get<{ Params: { part: string } }>(routePath(siteFiles.sitemapPart.path), ({ params }, reply) =>
    send(reply, `sitemap ${params.part}`, async (from) => {
      const range = rangeOf(params.part, await newestRootPost(from));
      if (!range) return undefined;
      const posts = await rootPostsBetween(from, range);
      const home = range.from === 0 ? fixedPages.map((path) => `<url>${location(path)}</url>`) : [];
      const pages = posts.map(({ id, created_at: at }) => {
        const href = addresses.post.href({ id: String(id) });
        return `<url>${location(href)}<lastmod>${xmlTime(at)}</lastmod></url>`;
      });
      return { response: xml('urlset', [...home, ...pages]), tags: ['feed'] };
    }),
  );

  app.get<{ Params: { part: string } }>(routePath(siteFiles.sitemapAuthorsPart.path), ({ params }, reply) =>
    send(reply, `sitemap of authors ${params.part}`, async (from) => {
      const range = rangeOf(params.part, await newestAccount(from));
      if (!range) return undefined;
      const authors = await authorsBetween(from, range);
      const pages = authors.map(({ username }) => `<url>${location(addresses.user.href({ username }))}</url>`);
      const tags = authors.map(({ id }) => `user:${id}` as const);
      return { response: xml('urlset', pages), tags: ['feed', ...tags] };
    }),
  );

  const base = escapeXml(publicUrl);
  const location = (path: string): string => `<loc>${base}${path}</loc>`;

  async function send(
    reply: FastifyReply,
    key: string,
    make: (from: Kysely<Schema>) => Promise<BuiltResponse | undefined>,
  ): Promise<FastifyReply> {
    const cached = cache.get(key) ?? (await visitors.read(cache.isCheap(key), () => cache.build(key, make)));
    if (cached) return reply.respond(cached);
    reply.callNotFound();
    return reply;
  }
}

const partOf = (id: number): number => Math.floor(id / idsInPart);

const partsUpTo = (newestId: number, address: typeof siteFiles.sitemapPart): string[] =>
  Array.from({ length: partOf(newestId) + 1 }, (_, part) => address.href({ part: String(part) }));

/** The ids of a part, excluding `to`; undefined when there is no such part. */
function rangeOf(part: string, newestId: number): { from: number; to: number } | undefined {
  if (!/^\d{1,9}$/.test(part) || Number(part) > partOf(newestId)) return undefined;
  const from = Number(part) * idsInPart;
  return { from, to: from + idsInPart };
}

function xml(root: 'sitemapindex' | 'urlset', entries: readonly string[]): ReadyResponse {
  const lines = [xmlDeclaration, `<${root} xmlns="${xmlns}">`, ...entries, `</${root}>\n`];
  return new ReadyResponse(lines.join('\n'), 'application/xml; charset=utf-8');
}
