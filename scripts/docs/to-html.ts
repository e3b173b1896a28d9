import { pages, type SitePage, subjects } from './pages.ts';
import { escapeHtml, type RenderedDocument, type Section } from './render-document.ts';

/** A whole file of the site. The list of pages comes last, because on a phone it stands below the text. */
export function toHtml(page: SitePage, { title, html, sections }: RenderedDocument): string {
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
<a class="to-pages" href="#pages">Все страницы</a>
<search><form role="search"><label for="query">Поиск по документации</label><input id="query" type="search" autocomplete="off"></form></search>
</header>
<div class="found" role="region" aria-label="Найдено" aria-live="polite" hidden></div>
<main id="text">
<div lang="${page.language}">
${withContents(html, sections)}
</div>
${neighbours(page)}
</main>
<nav class="pages" id="pages" aria-label="Документация">
${subjects.map(({ name, pages: own }) => `<h2>${name}</h2>\n<ul>${own.map((one) => listed(one, page)).join('')}</ul>`).join('\n')}
</nav>
</body>
</html>
`;
}

function listed({ address, name, language }: SitePage, shown: SitePage): string {
  const current = address === shown.address ? ' aria-current="page"' : '';
  return `<li><a href="${address}"${current}>${name}</a>${language === 'en' ? ' <small>англ.</small>' : ''}</li>`;
}

/** The pages before and after this one. */
function neighbours(page: SitePage): string {
  const at = pages.indexOf(page);
  const link = (rel: 'prev' | 'next', word: string, to: SitePage | undefined): string =>
    to ? `<a rel="${rel}" href="${to.address}"><small>${word}</small> ${to.name}</a>` : '';
  return `<nav class="turn" aria-label="Соседние страницы">${link('prev', 'Назад', pages[at - 1])}${link('next', 'Дальше', pages[at + 1])}</nav>`;
}

/** Puts the list of sections below the title. */
function withContents(html: string, sections: readonly Section[]): string {
  const chapters = sections.filter(({ level }) => level === 2);
  if (chapters.length < 3) return html;
  const links = chapters.map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  const list = `<details class="contents"><summary lang="ru">На этой странице</summary><ul>${links.join('')}</ul></details>`;
  return html.replace('</h1>', `</h1>\n${list}`);
}
