import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import type { Post } from '#contract/posts.ts';
import { escapeXml, xmlDeclaration, xmlTime } from './xml.ts';

export interface Feed {
  title: string;
  summary: string;
  /** The page that shows the same posts. */
  page: string;
  posts: readonly Post[];
  /** When it began: an empty feed has not changed since. */
  since: number;
  /** Of the post before these; none for the newest. */
  cursor: string | undefined;
  /** Leads to older posts while there are any. */
  next: string | null;
}

/** Atom 1.0, RFC 4287, in pages, RFC 5005. The path of a feed follows that of its page. */
export function atomFeed({ title, summary, page, posts, since, cursor, next }: Feed, publicUrl: string): string {
  const newest = `${publicUrl}${page.replace(/\/$/, '')}/feed.xml`;
  const link = (rel: string, after: string | undefined): string => {
    const address = after === undefined ? newest : `${newest}?cursor=${after}`;
    return `<link rel="${rel}" type="application/atom+xml" href="${escapeXml(address)}"/>`;
  };
  return [
    xmlDeclaration,
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ru">',
    `<id>${escapeXml(newest)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<subtitle>${escapeXml(summary)}</subtitle>`,
    `<updated>${xmlTime(posts[0]?.created_at ?? since)}</updated>`,
    `<icon>${escapeXml(publicUrl)}/icon-192.png</icon>`,
    link('self', cursor),
    link('first', undefined),
    ...(next === null ? [] : [link('next', next)]),
    `<link rel="alternate" type="text/html" href="${escapeXml(publicUrl + page)}"/>`,
    ...posts.map((post) => entry(post, publicUrl)),
    '</feed>\n',
  ].join('\n');
}

/** An edit comes within minutes, so the moment of publishing stands for the last change as well. */
function entry({ id, text, created_at, owner }: Post, publicUrl: string): string {
  const address = escapeXml(`${publicUrl}/posts/${id}`);
  const [firstLine] = text.split('\n');
  const time = xmlTime(created_at);
  return [
    '<entry>',
    `<id>${address}</id>`,
    `<title>${escapeXml(excerpt(firstLine!, limits.titleLength))}</title>`,
    `<link rel="alternate" type="text/html" href="${address}"/>`,
    `<published>${time}</published>`,
    `<updated>${time}</updated>`,
    '<author>',
    `<name>${escapeXml(owner.username)}</name>`,
    `<uri>${escapeXml(`${publicUrl}/users/${encodeURIComponent(owner.username)}`)}</uri>`,
    '</author>',
    `<content type="html">${escapeXml(asHtml(text))}</content>`,
    '</entry>',
  ].join('\n');
}

/** With its line breaks and its links. What XML cannot hold, HTML cannot either. */
function asHtml(text: string): string {
  const parts = splitLinks(text).map(({ text: plain, href }) => {
    const shown = escapeXml(plain).replaceAll('\n', '<br>');
    return href === undefined ? shown : `<a href="${escapeXml(href)}" rel="nofollow ugc noopener">${shown}</a>`;
  });
  return `<p>${parts.join('')}</p>`;
}
