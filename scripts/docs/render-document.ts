import { posix } from 'node:path';
import markdownIt, { type Token } from 'markdown-it';
import { pages, type SitePage } from './pages.ts';

export const { escapeHtml } = markdownIt().utils;

/** A part of a page below one heading. */
export interface Section {
  id: string;
  heading: string;
  level: number;
  text: string;
}

export interface RenderedDocument {
  title: string;
  html: string;
  sections: Section[];
  /** Pictures and films of the page, from the root of the project. */
  pictures: string[];
}

/** Renders one of our own documents. Links to other documents lead to their pages; those to source files become plain text. */
export function renderDocument(page: SitePage, markdown: string): RenderedDocument {
  // Our documents contain HTML comments that mark figures.
  const parser = markdownIt({ html: true });
  const tokens = parser.parse(markdown, {});
  const pictures: string[] = [];
  for (const { children } of tokens) if (children) adapt(page, children, pictures);
  const sections = toSections(tokens);
  parser.renderer.rules['table_open'] = () =>
    `<div class="wide" role="group" aria-label="Таблица" tabindex="0"><table>`;
  parser.renderer.rules['table_close'] = () => '</table></div>';
  parser.renderer.rules['fence'] = (all, index) =>
    `<pre tabindex="0"><code>${escapeHtml(all[index]!.content)}</code></pre>`;
  parser.renderer.rules['heading_open'] = (all, index, options, _env, self) =>
    self.renderToken(all, index, options) +
    ownLink(all[index]!, `<a class="anchor" href="#${all[index]!.attrGet('id')}">`);
  parser.renderer.rules['heading_close'] = (all, index, options, _env, self) =>
    ownLink(all[index]!, '</a>') + self.renderToken(all, index, options);
  const html = parser.renderer.render(tokens, parser.options, {});
  return { title: sections[0]?.heading ?? page.name, html, sections, pictures };
}

/** A heading below the title is a link to itself, from which the address of its section can be copied. */
const ownLink = ({ tag }: Token, html: string): string => (tag === 'h1' ? '' : html);

/** Directs links and pictures to the files of the site. */
function adapt(page: SitePage, tokens: Token[], pictures: string[]): void {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === 'image') {
      const file = fromRoot(page, String(token.attrGet('src')));
      pictures.push(file);
      token.attrSet('src', posix.basename(file));
    }
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href'));
      if (isFilm(href)) pictures.push(fromRoot(page, href));
      const address = addressOf(page, href);
      isPlain = address === undefined;
      if (address !== undefined) token.attrSet('href', address);
    }
    if (isPlain && (token.type === 'link_open' || token.type === 'link_close')) token.tag = 'span';
    if (isPlain && token.type === 'link_open') token.attrs = null;
  }
}

const fromRoot = ({ file }: SitePage, path: string): string => posix.join(posix.dirname(file), path);

const isFilm = (href: string): boolean => href.endsWith('.webm');

function addressOf(page: SitePage, href: string): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  if (isFilm(href)) return posix.basename(href);
  const [path = '', hash] = href.split('#');
  const target = pages.find(({ file }) => file === fromRoot(page, path));
  return target && (hash === undefined ? target.address : `${target.address}#${hash}`);
}

/** Gives each heading the id that GitHub gives it, so that the same links work in both places. */
function toSections(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  const ids = new Set<string>();
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const heading = plain(tokens[index + 1]!);
      const id = unused(slug(heading), ids);
      token.attrSet('id', id);
      sections.push({ id, heading, level: Number(token.tag.slice(1)), text: '' });
      return;
    }
    const isHeading = tokens[index - 1]?.type === 'heading_open';
    if (token.type === 'inline' && !isHeading && sections.length > 0) sections.at(-1)!.text += `${plain(token)} `;
    if (token.type === 'fence' && sections.length > 0) sections.at(-1)!.text += `${token.content} `;
  });
  return sections;
}

const plain = ({ children }: Token): string =>
  (children ?? [])
    .filter(({ type }) => type !== 'html_inline')
    .map(({ type, content }) => (type.endsWith('break') ? ' ' : content))
    .join('');

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

function unused(id: string, ids: Set<string>): string {
  let free = id;
  for (let n = 1; ids.has(free); n += 1) free = `${id}-${n}`;
  ids.add(free);
  return free;
}
