import type { Page } from '@playwright/test';
import { hydrated, openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, menuButton, publish, signInNewPerson, textField } from './support/writing.ts';

const text = 'Чай — это не кофе: в 5 утра я пью 2 чашки и бегу к реке';
const shown = 'Чай~— это не кофе: в~5~утра я~пью 2~чашки и~бегу к~реке'.replaceAll('~', '\u00a0');

test('lines of a post break neither after one-letter words and numbers nor before a dash', async ({
  page,
  ownWall,
}) => {
  await signInNewPerson(page, ownWall);
  await publish(page, text);
  expect(await cardOf(page, 'кофе').locator(':scope > [dir=auto]').textContent()).toBe(shown);

  await choose(page, 'кофе', /Изменить/);
  await expect(textField(page)).toHaveValue(text);
  await page.keyboard.press('Escape');
  await choose(page, 'кофе', 'Удалить');
  expect(await page.getByRole('blockquote').textContent()).toBe(shown);
  await choice(page, 'Отмена').click();
  await menuButton(page, 'кофе').waitFor();
  const { posts } = await page.evaluate(async () => (await fetch('/api/v1/posts')).json());
  expect(posts[0].text).toBe(text);
});

test('a copied text has ordinary spaces and whole addresses', async ({ page, ownWall, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const address = 'https://example.org/articles/2026/11/first-snow?from=wall';
  const id = await ownWall.seed.person('boris_petrov');
  await ownWall.seed.posts([{ by: id, text: `Был в лесу: ${address} и рядом` }]);
  await page.goto(ownWall.url);
  await hydrated(page);
  const link = page.getByRole('article').getByRole('link', { name: 'example.org' });
  await expect(link).toHaveAttribute('title', address);
  await expect(link).toHaveAttribute('href', address);
  expect(await widthOf(page, 'https://')).toBe(0);
  expect(await widthOf(page, '1/first-snow?from=wall')).toBe(0);
  expect(await widthOf(page, 'example.org/articles/2026/1')).toBeGreaterThan(100);

  await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('article > [dir=auto]')!));
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Был в лесу: ${address} и рядом`);
});

const widthOf = (page: Page, part: string): Promise<number> =>
  page
    .getByRole('article')
    .getByText(part, { exact: true })
    .evaluate((span) => span.getBoundingClientRect().width);

test('our own texts break nowhere else either, and large names of the bottom bar only between syllables', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, '/');
  expect(await page.getByText('К содержанию').textContent()).toBe('К\u00a0содержанию');
  const time = page.getByRole('article').first().locator('time[title]');
  await expect(time).toHaveText('1\u00a0ч.');
  expect(await time.textContent()).toBe('1\u00a0ч.');
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
  const breaks = await bar.locator('a > span:last-child').evaluateAll((labels) =>
    labels.flatMap((label) => {
      const text = label.firstChild as Text;
      const range = document.createRange();
      const topOf = (at: number): number => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return [...range.getClientRects()].at(-1)!.top;
      };
      const letters = [...text.data].flatMap((letter, at) => (letter === '\u00ad' ? [] : [at]));
      return letters
        .filter((at, index) => index > 0 && topOf(at) > topOf(letters[index - 1]!) + 2)
        .map((at) => text.data[at - 1]);
    }),
  );
  expect(breaks.length).toBeGreaterThan(0);
  expect(new Set(breaks)).toEqual(new Set(['\u00ad']));
});
