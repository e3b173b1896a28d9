import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WallText } from '#contract/wall-texts.ts';
import { excerpt } from '#contract/excerpt.ts';
import { ConfigError } from '../../config-values.ts';
import type { Config } from '../../config.ts';
import { makeRenderer } from './markdown.ts';
import type { KeptTextName, WallSettings } from './wall-settings.ts';

/** The title of a text without a heading. */
const titles: Record<KeptTextName, string> = {
  about: 'О стене',
  rules: 'Правила',
  privacy: 'Конфиденциальность',
  consent: 'Согласие на обработку персональных данных',
};
const names = Object.keys(titles) as KeptTextName[];

/** Two or three lines on a phone. */
const introLength = 160;
const maxBytes = 256 * 1024;
const checkEveryMs = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The operator's texts about the wall, as they are now. */
export interface WallTexts {
  /** Undefined if there is no such text: the operator has written none, and it has no default. */
  get(name: string): WallText | undefined;
  /** Where each text is from, and its Markdown. */
  sources(): TextSource[];
  /** The text as it would be shown. */
  preview(name: KeptTextName, markdown: string): WallText;
  /** The first paragraph of the operator's `about.md` as plain text; null if the operator has written none. */
  about(): string | null;
  /** The same paragraph, shortened for an introduction; undefined if `about` returns null. */
  intro(): string | undefined;
  /** Changes with every change of a text. */
  version(): number;
  close(): void;
}

interface TextSource {
  name: KeptTextName;
  /** A file in PAGES_DIR wins over what an owner has written, and that over the program's own text. */
  source: 'file' | 'wall' | 'default' | 'none';
  markdown: string;
}

interface Watched {
  wallText: WallText | undefined;
  /** The state of the file from which `wallText` was made; empty if the default stands for a file that cannot be used. */
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
 * cannot be used, its last good version remains, or the default.
 */
export async function openWallTexts({ config, wall, log }: FilesOptions): Promise<WallTexts> {
  const render = makeRenderer(config.publicUrl);
  const texts = new Map<string, Watched>();
  const sources = new Map<KeptTextName, Omit<TextSource, 'name'>>();
  let version = 0;
  for (const name of names) texts.set(name, await readFirst(name));

  wall.onChange(async () => {
    for (const [name, text] of texts) text.wallText = await read(name as KeptTextName).catch(() => text.wallText);
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
    return (!isDefault && texts.get('about')!.wallText?.summary) || null;
  }

  async function watch(): Promise<void> {
    for (const name of names) await check(name, texts.get(name)!);
    if (!isClosed) timer = setTimeout(watch, checkEveryMs).unref();
  }

  async function readFirst(name: KeptTextName): Promise<Watched> {
    const state = await stateOf(fileOf(name));
    try {
      return { wallText: await read(name), used: state, seen: state, reported: '' };
    } catch (error) {
      // Without it people would register without the consent that the operator asks for.
      if (name === 'consent') throw new ConfigError(explain(name, error));
      log.warn(explain(name, error));
      return { wallText: await readElsewhere(name), used: '', seen: state, reported: state };
    }
  }

  async function check(name: KeptTextName, text: Watched): Promise<void> {
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

  async function read(name: KeptTextName): Promise<WallText | undefined> {
    const file = fileOf(name);
    if ((await stateOf(file)) === absent) return readElsewhere(name);
    const { size } = await stat(file);
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024} kB`);
    return noted(name, 'file', await readFile(file));
  }

  /** The consent has no default: it exists only where the operator or an owner asks for it. */
  async function readElsewhere(name: KeptTextName): Promise<WallText | undefined> {
    const written = wall.text(name);
    if (written !== undefined) return noted(name, 'wall', Buffer.from(written));
    if (name !== 'consent')
      return noted(name, 'default', await readFile(new URL(`defaults/${name}.md`, import.meta.url)));
    sources.set(name, { source: 'none', markdown: '' });
    return undefined;
  }

  function noted(name: KeptTextName, source: TextSource['source'], bytes: Buffer): WallText {
    const wallText = toWallText(name, bytes);
    sources.set(name, { source, markdown: bytes.toString() });
    return wallText;
  }

  function toWallText(name: KeptTextName, bytes: Buffer): WallText {
    const text = utf8.decode(bytes);
    if (text.trim() === '') throw new Error('it is empty');
    const { title = titles[name], html, summary } = render(withPlaceholders(text, wall));
    return { name, title, html, summary, hash: hash('sha256', bytes) };
  }

  function fileOf(name: KeptTextName): string {
    return join(config.pagesDir, `${name}.md`);
  }

  function explain(name: KeptTextName, error: unknown): string {
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

function withPlaceholders(text: string, { appName, contact }: WallSettings): string {
  const shown = escaped(contact.replace(/^(mailto:|https:\/\/)/, ''));
  return text
    .replaceAll('{{APP_NAME}}', () => escaped(appName))
    .replaceAll('{{CONTACT}}', () => `[${shown}](${escaped(contact)})`);
}

/** A text of a setting has no meaning in Markdown. */
const escaped = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
