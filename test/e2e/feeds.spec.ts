import type { Page } from '@playwright/test';
import { hostileTexts } from './support/hostile.ts';
import { nothingMayExecute } from './support/nothing-may-execute.ts';
import { expect, test } from './support/test.ts';

nothingMayExecute();

const xmlCannotSay = 'до \u0001\u0008\u000b\u001f\u007f\uFFFE\uFFFF после';

test('a feed and the sitemap are well-formed XML, whatever was written', async ({ page, ownWall }) => {
  const worst = hostileTexts.filter((text) => /\]\]>|CDATA|&|\u2028|<!--|"'>/.test(text)).slice(-18);
  const by = await ownWall.seed.person('<b>&"\']]>');
  const [post] = await ownWall.seed.posts(
    [...worst, 'строка\n\n  с отступом', xmlCannotSay].map((text) => ({ by, text })),
  );
  await page.goto(ownWall.url);

  const feed = await readXml(page, '/feed.xml');
  expect(feed.root).toBe('http://www.w3.org/2005/Atom feed ru');
  const said = feed.entries.map(({ content }) => content);
  expect(said).toEqual([
    'до \ufffd\ufffd\ufffd\ufffd\u007f\ufffd\ufffd после',
    'строка\n\n  с отступом',
    ...worst.toReversed(),
  ]);
  for (const { author, inside } of feed.entries) {
    expect(author).toBe('<b>&"\']]>');
    expect(inside).toEqual(['id', 'title', 'link', 'published', 'updated', 'author', 'name', 'uri', 'content']);
  }

  expect((await readXml(page, '/sitemap.xml')).root).toContain('sitemap/0.9 sitemapindex');
  const part = await readXml(page, '/sitemap-0.xml');
  expect(part.root).toContain('sitemap/0.9 urlset');
  expect(part.locations).toContain(`${ownWall.url}/posts/${post}`);
});

/** The page itself refuses to parse strings, and an empty one does not. */
async function readXml(page: Page, path: string) {
  const response = await page.request.get(new URL(path, page.url()).href);
  const blank = await page.context().newPage();
  const read = await parseXml(blank, await response.text());
  await blank.close();
  return read;
}

function parseXml(blank: Page, xml: string) {
  return blank.evaluate((xml) => {
    const parsed = new DOMParser().parseFromString(xml, 'application/xml');
    const failure = parsed.querySelector('parsererror');
    if (failure) throw new Error(failure.textContent);
    const root = parsed.documentElement;
    /** The text that a feed reader shows for the HTML. */
    const shownBy = (html: string): string => {
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      for (const line of body.querySelectorAll('br')) line.replaceWith('\n');
      return body.textContent;
    };
    return {
      root: `${root.namespaceURI} ${root.localName} ${root.getAttribute('xml:lang')}`,
      locations: [...parsed.querySelectorAll('loc')].map((location) => location.textContent),
      entries: [...parsed.querySelectorAll('entry')].map((entry) => ({
        content: shownBy(entry.querySelector('content')!.textContent),
        author: entry.querySelector('author > name')!.textContent,
        inside: [...entry.querySelectorAll('*')].map(({ localName }) => localName),
      })),
    };
  }, xml);
}
