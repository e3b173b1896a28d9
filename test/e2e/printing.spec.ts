import { hydrated, openPage } from './support/app.ts';
import { bakeries, question, seedDiscussion } from '../kit/sample-discussion.ts';
import { texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test('a post is printed black on white, without controls, from both themes', async ({ page, wall }) => {
  await page.goto(`/posts/${wall.ids.links}`);
  await hydrated(page);
  await page.emulateMedia({ media: 'print' });
  for (const theme of ['dark', 'light']) {
    await test.step(theme, async () => {
      await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme);
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
      for (const text of ['bdi', '[dir=auto]', '[data-permalink]']) {
        for (const part of await page.getByRole('article').locator(text).all())
          await expect(part).toHaveCSS('color', 'rgb(0, 0, 0)');
      }
      await expect(page.locator('nav:visible, button:visible, svg:visible, a[href="#main"]:visible')).toHaveCount(0);
      await expect(page.getByRole('article').locator('[dir=auto]')).toHaveText(texts.links);
      const [link] = await page.getByRole('article').locator('[dir=auto] a > span').all();
      await expect(link!).not.toHaveCSS('font-size', '0px');
    });
  }
});

test('no line is printed over the text of a reply', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await openPage(page, `${ownWall.url}/posts/${ids.get(question)}`);
  await page.emulateMedia({ media: 'print' });
  const places = await page.getByRole('article').evaluateAll((articles) =>
    articles.map((article) => {
      const texts = document.createRange();
      texts.selectNodeContents(article.querySelector(':scope > [dir=auto]')!);
      const { top, bottom } = texts.getBoundingClientRect();
      const { bottom: end } = article.getBoundingClientRect();
      texts.selectNodeContents(article.querySelector('bdi > a')!);
      const below = article.nextElementSibling ?? article.parentElement!.nextElementSibling;
      const name = texts.getBoundingClientRect();
      return { nameEnd: name.bottom, top, bottom, end, next: below?.getBoundingClientRect().top ?? Infinity };
    }),
  );
  expect(places.length).toBeGreaterThan(20);
  for (const { nameEnd, top, bottom, end, next } of places) {
    expect(top).toBeGreaterThanOrEqual(nameEnd);
    expect(bottom).toBeLessThanOrEqual(Math.min(end, next));
  }
});
