import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages, type SitePage } from './pages.ts';
import { escapeHtml, type RenderedDocument, renderDocument, type Section } from './render-document.ts';

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
  const [tokens, dark, light, own] = await Promise.all(
    ['web/app/theme/tokens.css', 'web/app/theme/dark.css', 'web/app/theme/light.css', 'scripts/docs/style.css'].map(
      read,
    ),
  );
  return [
    tokens,
    dark!.replace("[data-theme='dark']", ':root'),
    `@media (prefers-color-scheme: light) {\n${light!.replace("[data-theme='light']", ':root')}}`,
    own,
  ].join('\n');
}

function toHtml(page: SitePage, { title, html, sections }: RenderedDocument): string {
  const links = pages.map(({ address, name, language }) => {
    const current = address === page.address ? ' aria-current="page"' : '';
    return `<li><a href="${address}"${current}>${name}</a>${language === 'en' ? ' <small>англ.</small>' : ''}</li>`;
  });
  const contents = sections
    .filter(({ level }) => level === 2)
    .map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  const heading = title === 'Стена' ? title : `${title} - Стена`;
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(heading)}</title>
<link rel="stylesheet" href="style.css">
<script src="search.js" defer></script>
</head>
<body>
<a class="skip" href="#text">К тексту</a>
<header>
<a class="name" href="index.html">Стена</a>
<search><form role="search"><label for="query">Поиск по документации</label><input id="query" type="search" autocomplete="off"></form></search>
</header>
<div class="found" role="region" aria-label="Найдено" aria-live="polite" hidden></div>
<nav aria-label="Документация"><ul>${links.join('')}</ul></nav>
<main id="text" lang="${page.language}">
${withContents(html, contents)}
</main>
</body>
</html>
`;
}

/** Puts the list of sections below the title. */
function withContents(html: string, contents: readonly string[]): string {
  if (contents.length < 3) return html;
  const list = `<details class="contents"><summary lang="ru">На этой странице</summary><ul>${contents.join('')}</ul></details>`;
  return html.replace('</h1>', `</h1>\n${list}`);
}
