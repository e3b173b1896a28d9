import { escapeXml, xmlDeclaration, xmlTime } from './xml.ts';

/**
 * A part lists the root posts among so many ids: its place follows from the ids alone, and it is read in a few
 * milliseconds. An index may name 50,000 parts.
 */
export const idsInPart = 2_000;

const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export const partOf = (id: number): number => Math.floor(id / idsInPart);

export function sitemapIndex(newest: { post: number; account: number }, publicUrl: string): string {
  const base = escapeXml(publicUrl);
  const partsOf = (name: string, newestId: number): string[] =>
    Array.from(
      { length: partOf(newestId) + 1 },
      (_, part) => `<sitemap><loc>${base}/${name}-${part}.xml</loc></sitemap>`,
    );
  const parts = [...partsOf('sitemap', newest.post), ...partsOf('sitemap-authors', newest.account)];
  return [xmlDeclaration, `<sitemapindex xmlns="${xmlns}">`, ...parts, '</sitemapindex>\n'].join('\n');
}

/** The first part begins with the feed. */
export function sitemapPart(part: number, posts: readonly { id: number; created_at: number }[], publicUrl: string) {
  const base = escapeXml(publicUrl);
  const home = part === 0 ? [`<url><loc>${base}/</loc></url>`] : [];
  const pages = posts.map(
    ({ id, created_at }) => `<url><loc>${base}/posts/${id}</loc><lastmod>${xmlTime(created_at)}</lastmod></url>`,
  );
  return urlset([...home, ...pages]);
}

export function authorsPart(authors: readonly { username: string }[], publicUrl: string): string {
  return urlset(
    authors.map(
      ({ username }) => `<url><loc>${escapeXml(`${publicUrl}/users/${encodeURIComponent(username)}`)}</loc></url>`,
    ),
  );
}

const urlset = (pages: readonly string[]): string =>
  [xmlDeclaration, `<urlset xmlns="${xmlns}">`, ...pages, '</urlset>\n'].join('\n');
