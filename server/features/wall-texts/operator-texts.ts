import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import markdownIt, { type Token } from 'markdown-it';
import { excerpt } from '#contract/text-parts.ts';
import type { WallText } from '#contract/wall-texts.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { StoredTextName, WallSettings } from './wall-settings.ts';

interface RenderedText {
  /** The text of the first heading, if there is one. The HTML does not contain this heading. */
  title: string | undefined;
  html: string;
  /** The text of the first paragraph. */
  summary: string;
}

type Protocol = (typeof protocols)[number];

/** Protocols of links. `javascript:` and `data:` are excluded. */
const protocols = ['http:', 'https:', 'mailto:', 'tel:'] as const;
/** The highest level of headings in a text. Level 1 is for the title of the page. */
const topLevel = 2;
const lowestLevel = 6;

/** Renders Markdown without raw HTML and images. Headings get levels below the title of the page. */
export function makeRenderer(publicUrl: string): (markdown: string) => RenderedText {
  const parser = markdownIt({ html: false });
  // An unfinished link is looked through again at each level, so the work is bounded by the levels. A list has two.
  parser.set({ maxNesting: 20 });
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

  /** Parses the address like a browser, which ignores the tab in `java\tscript:`. */
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

/** The title of a text without a heading. */
const titles: Record<StoredTextName, string> = {
  about: 'О стене',
  rules: 'Правила',
  privacy: 'Конфиденциальность',
  consent: 'Согласие на обработку персональных данных',
};
const names = Object.keys(titles) as StoredTextName[];

/** In characters: two or three lines on a phone. */
const introLength = 160;
const maxBytes = 256 * 1024;
const checkEveryMs = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The operator's texts about the wall, as they are now. */
export interface WallTexts {
  /** Undefined if nobody has written the text and it has no default. */
  get(name: string): WallText | undefined;
  /** The source and the Markdown of each text. */
  sources(): TextSource[];
  /** The text as it would be shown. */
  preview(name: StoredTextName, markdown: string): WallText;
  /** The line of the wall, or else the first paragraph of `about`, unless that text is the default; null if there is neither. */
  about(): string | null;
  /** The result of `about`, shortened; undefined if it is null. */
  intro(): string | undefined;
  /** Changes with every change of a text. */
  version(): number;
  close(): void;
}

interface TextSource {
  name: StoredTextName;
  /** A file in PAGES_DIR has precedence over a text that an owner has written, which has precedence over the default. */
  source: 'file' | 'wall' | 'default' | 'none';
  markdown: string;
}

interface Watched {
  wallText: WallText | undefined;
  /** The state of the file from which `wallText` was made; empty if another text stands for a file that cannot be used. */
  used: string;
  /** The state of the file at the last check. A file that has changed since may be half-written. */
  seen: string;
  /** The state of the file that the log has reported. */
  reported: string;
}

interface FilesOptions {
  config: Pick<Config, 'publicUrl' | 'pagesDir'>;
  wall: WallSettings;
  log: { warn(message: string): void };
}

/**
 * Reads the texts and watches their files: a change is visible within a few seconds, without a restart. While a file
 * cannot be used, its last good version remains. Before the first one, the text of an owner or the default stands for it.
 */
export async function openWallTexts({ config, wall, log }: FilesOptions): Promise<WallTexts> {
  const render = makeRenderer(config.publicUrl);
  const texts = new Map<string, Watched>();
  const sources = new Map<StoredTextName, Omit<TextSource, 'name'>>();
  let version = 0;
  for (const name of names) texts.set(name, await readFirst(name));

  wall.onChange(async () => {
    for (const [name, text] of texts) text.wallText = await read(name as StoredTextName).catch(() => text.wallText);
    version += 1;
  });

  let isClosed = false;
  let timer = setTimeout(watch, checkEveryMs).unref();

  return {
    get: (name) => texts.get(name)?.wallText,
    sources: () => names.map((name) => ({ name, ...sources.get(name)! })),
    preview: (name, markdown) => toWallText(name, Buffer.from(markdown)),
    about,
    intro() {
      const text = about();
      return text === null ? undefined : excerpt(text, introLength);
    },
    version: () => version,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };

  function about(): string | null {
    const isDefault = sources.get('about')!.source === 'default';
    return wall.line ?? ((!isDefault && texts.get('about')!.wallText?.summary) || null);
  }

  async function watch(): Promise<void> {
    for (const name of names) await check(name, texts.get(name)!);
    if (!isClosed) timer = setTimeout(watch, checkEveryMs).unref();
  }

  async function readFirst(name: StoredTextName): Promise<Watched> {
    const state = await stateOf(fileOf(name));
    try {
      return { wallText: await read(name), used: state, seen: state, reported: '' };
    } catch (error) {
      // Without this text people would register without the consent that the operator requires.
      if (name === 'consent') throw new ConfigError(explain(name, error));
      log.warn(explain(name, error));
      return { wallText: await readElsewhere(name), used: '', seen: state, reported: state };
    }
  }

  async function check(name: StoredTextName, text: Watched): Promise<void> {
    const state = await stateOf(fileOf(name));
    const isSteady = state === text.seen;
    text.seen = state;
    if (!isSteady || state === text.used) return;
    try {
      text.wallText = await read(name);
      text.used = state;
      version += 1;
    } catch (error) {
      if (text.reported !== state) log.warn(explain(name, error));
      text.reported = state;
    }
  }

  async function read(name: StoredTextName): Promise<WallText | undefined> {
    const file = fileOf(name);
    if ((await stateOf(file)) === absent) return readElsewhere(name);
    const { size } = await stat(file);
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024} kB`);
    return noted(name, 'file', await readFile(file));
  }

  /** The consent has no default: it exists only where the operator or an owner asks for it. */
  async function readElsewhere(name: StoredTextName): Promise<WallText | undefined> {
    const written = wall.text(name);
    if (written !== undefined) return noted(name, 'wall', Buffer.from(written));
    if (name !== 'consent')
      return noted(name, 'default', await readFile(new URL(`defaults/${name}.md`, import.meta.url)));
    sources.set(name, { source: 'none', markdown: '' });
    return undefined;
  }

  function noted(name: StoredTextName, source: TextSource['source'], bytes: Buffer): WallText {
    const wallText = toWallText(name, bytes);
    sources.set(name, { source, markdown: bytes.toString() });
    return wallText;
  }

  function toWallText(name: StoredTextName, bytes: Buffer): WallText {
    const text = utf8.decode(bytes);
    if (text.trim() === '') throw new Error('it is empty');
    const { title = titles[name], html, summary } = render(withPlaceholders(text, wall));
    return { name, title, html, summary, hash: hash('sha256', bytes) };
  }

  function fileOf(name: StoredTextName): string {
    return join(config.pagesDir, `${name}.md`);
  }

  function explain(name: StoredTextName, error: unknown): string {
    return `${fileOf(name)} cannot be used: ${(error as Error).message}`;
  }
}

const absent = 'absent';

/** Changes with every write to a file. */
async function stateOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? absent : `inaccessible: ${code}`;
  }
}

function withPlaceholders(text: string, { appName, shownContact }: WallSettings): string {
  const contact =
    shownContact === undefined
      ? 'адреса пока нет'
      : `[${escaped(shownContact.replace(/^(mailto:|https:\/\/)/, ''))}](${escaped(shownContact)})`;
  return text.replaceAll('{{APP_NAME}}', () => escaped(appName)).replaceAll('{{CONTACT}}', () => contact);
}

/** Escapes the text of a setting so that Markdown shows it literally. */
const escaped = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
