import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import { splitQuotations, withoutSigns } from '#contract/quotations.ts';
import type { Post } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import { escapeXml, xmlDeclaration, xmlTime } from './xml.ts';

export interface Feed {
  title: string;
  summary: string;
  /** The path of the feed's newest page. */
  address: string;
  /** The path of the HTML page with the same posts. */
  page: string;
  posts: readonly Post[];
  /** The time of the last change of an empty feed, unix seconds. */
  since: number;
  /** The cursor that these posts follow; absent on the newest page. */
  cursor?: string;
  /** On a closed wall: the token with which the reader has asked for this page. */
  token?: string | undefined;
  /** The cursor of the next, older page. */
  next: string | null;
}

/** Atom 1.0, RFC 4287, in pages, RFC 5005. */
export function atomFeed(feed: Feed, publicUrl: string): string {
  const { title, summary, address, page, posts, since, cursor, token, next } = feed;
  const newest = publicUrl + address;
  const link = (rel: string, after: string | undefined): string => {
    const query = new URLSearchParams({ ...(after !== undefined && { cursor: after }), ...(token && { token }) });
    const href = newest + (query.size > 0 ? `?${query}` : '');
    return `<link rel="${rel}" type="application/atom+xml" href="${escapeXml(href)}"/>`;
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

/** Posts can be edited for some minutes only, so `updated` is the time of publishing. */
function entry({ id, text, created_at, owner }: Post, publicUrl: string): string {
  const address = escapeXml(publicUrl + addresses.post.href({ id }));
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
    `<name>${escapeXml(shownName(owner))}</name>`,
    `<uri>${escapeXml(publicUrl + addresses.user.href({ username: owner.username }))}</uri>`,
    '</author>',
    `<content type="html">${escapeXml(asHtml(text, publicUrl))}</content>`,
    '</entry>',
  ].join('\n');
}

/** The text as HTML with its quotations, line breaks and links, without characters that XML does not allow. */
function asHtml(text: string, publicUrl: string): string {
  const blocks = splitQuotations(text).map(({ quoted, text: part }) =>
    quoted
      ? `<blockquote>${linked(withoutSigns(part), publicUrl)}</blockquote>`
      : `<p>${linked(part.replaceAll(/^\n+|\n+$/g, ''), publicUrl)}</p>`,
  );
  return blocks.join('');
}

function linked(text: string, publicUrl: string): string {
  const parts = splitLinks(text).map(({ text: plain, href, shown: address = plain }) => {
    const shown = escapeXml(address).replaceAll('\n', '<br>');
    if (href === undefined) return shown;
    const target = href.startsWith('/') ? publicUrl + href : href;
    return `<a href="${escapeXml(target)}" rel="nofollow ugc noopener">${shown}</a>`;
  });
  return parts.join('');
}
