import { openPage } from './support/app.ts';
import { scrollToPost, seenPosts } from './support/feed.ts';
import { asShown, hostileNames, hostileTexts } from './support/hostile.ts';
import { nothingMayExecute } from './support/nothing-may-execute.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

nothingMayExecute();

test('two hundred hostile posts appear in the feed unchanged, and their documents contain nothing but the text', async ({
  page,
  ownWall,
}) => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
  const ids = await attack(ownWall);
  await openPage(page, ownWall.url);
  await scrollToPost(page, hostileTexts.length);
  const shown = (await seenPosts(page)).map(([, text]) => text);
  expect(shown).toEqual(hostileTexts.map(asShown).toReversed());

  const documents = await page.evaluate(async (ids) => {
    // The page refuses to parse strings.
    const parsedAt = (path: string): Promise<Document> =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.responseType = 'document';
        request.addEventListener('load', () => resolve(request.responseXML!));
        request.addEventListener('error', reject);
        request.open('GET', path);
        request.send();
      });
    const looks = ids.map(async (id) => {
      const parsed = await parsedAt(`/posts/${id}`);
      const elements = [...parsed.querySelectorAll('*')];
      return {
        text: parsed.querySelector('article > [dir=auto]')?.textContent.replaceAll('\u00a0', ' '),
        data: JSON.parse(parsed.querySelector('#page-data')!.textContent).content.post.text as string,
        handlers: elements.filter((element) => element.getAttributeNames().some((name) => name.startsWith('on')))
          .length,
        schemes: [...parsed.links].map((link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol)),
        strangers: elements
          .filter((element) => !element.matches('form[method=get][data-later]'))
          .map((element) => element.localName)
          .filter((name) => /iframe|object|embed|form|base|img/.test(name)),
        inlineScripts: [...parsed.scripts].filter((script) => !script.src).length,
        foreignScripts: [...parsed.scripts].filter(({ src }) => src && !src.startsWith(`${location.origin}/assets/`))
          .length,
      };
    });
    return Promise.all(looks);
  }, ids);
  const clean = { handlers: 0, schemes: [], strangers: [], inlineScripts: 9, foreignScripts: 0 };
  expect(documents).toEqual(
    hostileTexts.map((text) => ({ text: asShown(text).replaceAll('\u00a0', ' '), data: text, ...clean })),
  );
});

test('a page that starts with hostile posts hydrates, including its data block, and names stay text', async ({
  page,
  ownWall,
}) => {
  const worst = hostileTexts.filter((text) => /<\/script|\u2028|<!--/i.test(text)).slice(-8);
  const by = await ownWall.seed.person('galina_m');
  await ownWall.seed.posts(worst.map((text) => ({ by, text })));
  await openPage(page, ownWall.url);
  await expect(page.getByRole('article')).toHaveCount(worst.length);

  await test.step('usernames, and their links stay on the site', async () => {
    const posts = [];
    for (const name of hostileNames) posts.push({ by: await ownWall.seed.person(name), text: 'Запись' });
    await ownWall.seed.posts(posts);
    await openPage(page, ownWall.url);
    const authors = page.getByRole('article').locator('bdi a');
    expect((await authors.allTextContents()).slice(0, posts.length)).toEqual(hostileNames.toReversed());
    const addresses = await authors.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const address of addresses) expect(address.startsWith(`${ownWall.url}/`), address).toBe(true);
  });

  await test.step('stacked accents cover nothing below their text', async () => {
    const [id] = await ownWall.seed.posts([
      { by, text: `Zalgo${'\u0316\u0317\u0318\u0319\u031a\u031b\u031c\u031d'.repeat(12)} текст` },
    ]);
    await openPage(page, `${ownWall.url}/posts/${id}`);
    const text = page.getByRole('article').locator('[dir=auto]');
    const { x, y, height } = (await text.boundingBox())!;
    const below = () => page.screenshot({ clip: { x, y: y + height + 4, width: 150, height: 40 } });
    const before = await below();
    await text.evaluate((it) => (it.textContent = 'Zalgo текст'));
    expect((await below()).equals(before)).toBe(true);
  });
});

async function attack({ seed }: Wall): Promise<number[]> {
  const by = await seed.person('galina_m');
  return seed.posts(hostileTexts.map((text) => ({ by, text })));
}
