import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages, type SitePage } from './pages.ts';
import { renderDocument, type Section } from './render-document.ts';
import { toHtml } from './to-html.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Writes the documentation as files that work on any web server and when they are opened from a disk. */
export async function writeSite(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const rendered = await Promise.all(
    pages.map(async (page) => ({ page, document: renderDocument(page, await read(page.file)) })),
  );
  for (const { page, document } of rendered) {
    await writeFile(join(folder, page.address), toHtml(page, document));
    for (const picture of document.pictures) await cp(join(root, picture), join(folder, basename(picture)));
  }
  await writeFile(join(folder, 'style.css'), await styles());
  const found = rendered.flatMap(({ page, document }) => document.sections.map((section) => entryOf(page, section)));
  // A script and not a JSON file: pages opened from a disk may not fetch.
  await writeFile(
    join(folder, 'search.js'),
    `const sections = ${JSON.stringify(found)};\n${await read('scripts/docs/search.js')}`,
  );
}

const entryOf = (page: SitePage, { id, heading, text }: Section) => ({
  address: `${page.address}#${id}`,
  page: page.name,
  heading,
  text: text.replaceAll(/\s+/g, ' ').trim(),
});

/** The colours and sizes are those of the wall. */
async function styles(): Promise<string> {
  const [tokens, dark, light, ...own] = await Promise.all(
    [
      ...['tokens', 'dark', 'light'].map((name) => `web/app/theme/${name}.css`),
      ...['frame', 'text', 'print'].map((name) => `scripts/docs/${name}.css`),
    ].map(read),
  );
  return [
    tokens,
    dark!.replace("[data-theme='dark']", ':root'),
    `@media (prefers-color-scheme: light), print {\n${light!.replace("[data-theme='light']", ':root')}}`,
    ...own,
  ].join('\n');
}
