import markdownIt, { type Token } from 'markdown-it';

export interface RenderedText {
  /** The text of the first heading, if there is one. The HTML is without it. */
  title: string | undefined;
  html: string;
  /** The text of the first paragraph. */
  summary: string;
}

type Protocol = (typeof protocols)[number];

/** Where a link may lead. Excludes `javascript:` and `data:`. */
const protocols = ['http:', 'https:', 'mailto:', 'tel:'] as const;
/** The page has a heading of the first level: the title. */
const topLevel = 2;
const lowestLevel = 6;

/** Renders Markdown without raw HTML and without images, with the headings below the page's own. */
export function makeRenderer(publicUrl: string): (markdown: string) => RenderedText {
  const parser = markdownIt({ html: false });
  parser.validateLink = (href) => {
    const protocol = urlOf(href)?.protocol as Protocol | undefined;
    return protocol !== undefined && protocols.includes(protocol);
  };
  // Files next to the texts are not served, so a picture could only come from another site.
  parser.renderer.rules['image'] = (tokens, index) => parser.utils.escapeHtml(tokens[index]!.content);

  return (markdown) => {
    const tokens = parser.parse(markdown, {});
    const title = takeTitle(tokens);
    lowerHeadings(tokens);
    for (const { children } of tokens) for (const token of children ?? []) if (token.type === 'link_open') guard(token);
    const html = parser.renderer.render(tokens, parser.options, {});
    return { title, html, summary: firstParagraph(tokens) };
  };

  /** The browser parses the address in the same way, also one with tabs in `java\tscript:`. */
  function urlOf(href: string): URL | undefined {
    return URL.canParse(href, publicUrl) ? new URL(href, publicUrl) : undefined;
  }

  function guard(link: Token): void {
    const url = urlOf(String(link.attrGet('href')));
    const isForeign = url && /^https?:$/.test(url.protocol) && url.origin !== publicUrl;
    if (isForeign) link.attrSet('rel', 'nofollow noopener');
  }
}

/** Removes the first heading. */
function takeTitle(tokens: Token[]): string | undefined {
  const at = tokens.findIndex(({ type, level }) => type === 'heading_open' && level === 0);
  if (at < 0) return undefined;
  const [, inline] = tokens.splice(at, 3);
  return plain(inline) || undefined;
}

/** Moves the other headings below the title and keeps their order. */
function lowerHeadings(tokens: readonly Token[]): void {
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const levelOf = ({ tag }: Token): number => Number(tag.slice(1));
  const shift = topLevel - Math.min(...headings.map(levelOf));
  for (const heading of headings) heading.tag = `h${Math.min(levelOf(heading) + shift, lowestLevel)}`;
}

function firstParagraph(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type }) => type === 'paragraph_open');
  return at < 0 ? '' : plain(tokens[at + 1]);
}

/** The text of an inline token without marks. */
function plain(inline: Token | undefined): string {
  const parts = (inline?.children ?? []).map(({ type, content }) => (type.endsWith('break') ? ' ' : content));
  return parts.join('').trim();
}
