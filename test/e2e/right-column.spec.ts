import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openPage, quiet } from './support/app.ts';
import { phone } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { column, seedTalks } from './support/right-column.ts';
import { expect, test } from './support/test.ts';

const pinned = (page: Page) => page.getByRole('region', { name: 'Объявление' });

/** The calls of the API for the beginnings of lists that the page makes. */
function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isList = /^\/api\/v1\/(posts|users\/current\/following)/.test(pathname);
    if (isList && !search.includes('cursor=')) calls.push(pathname + search);
  });
  return calls;
}

test('a window shows each part once, and the announcement is closed in both places at once', async ({
  page,
  ownWall,
}) => {
  await seedTalks(ownWall);
  await watchShift(page);
  for (const [width, isShown] of [
    [1_059, false],
    [1_060, true],
    [1_440, true],
  ] as const) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await openPage(page, ownWall.url);
      await expect(column(page)).toBeVisible({ visible: isShown });
      await expect(pinned(page)).toHaveCount(1);
      await expect(page.getByRole('main').locator('[data-pin]')).toBeVisible({ visible: !isShown });
      await expect(page.getByText(/Стена/).filter({ visible: true })).toHaveCount(1);
      await expect(
        page.getByRole('navigation', { name: 'Разделы' }).getByRole('link', { name: 'Стена' }),
      ).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      if (isShown) {
        const [main, aside] = [(await page.getByRole('main').boundingBox())!, (await column(page).boundingBox())!];
        expect(aside.width).toBe(300);
        expect(aside.x).toBeGreaterThanOrEqual(main.x + main.width);
      }
      await quiet(page);
      await expectNoShift(page);
    });
  }

  await pinned(page).getByRole('button', { name: 'Закрыть объявление' }).click();
  await expect(page.locator('[data-pin]')).toHaveCount(0);
  await page.setViewportSize(phone);
  await expect(pinned(page)).toHaveCount(0);
});

test('it costs no request of its own, and scrolls with the page', async ({ page, ownWall }) => {
  const [root] = await seedTalks(ownWall);
  const by = await ownWall.seed.person('filler');
  await ownWall.seed.posts(Array.from({ length: 30 }, (_, index) => ({ by, text: `Запись ${index}`, age: 86_400 })));
  const { id, name } = await newPerson(ownWall);
  await ownWall.seed.follow(root!, id);
  const all = watchCalls(page);
  // The newcomers are loaded apart, for signed-in people alone (docs/decisions/0092).
  const calls = () => all.filter((call) => !call.endsWith('/posts/waiting'));
  await openPage(page, ownWall.url);
  await expect(column(page).getByRole('listitem')).toHaveCount(4);
  await quiet(page);
  expect(calls()).toEqual([]);
  await page.evaluate(() => scrollTo(0, 600));
  await expect(column(page).getByRole('heading', { name: 'Сейчас обсуждают' })).not.toBeInViewport();

  await restoreSession(page, ownWall, { id, name });
  await expect(column(page).getByText('+2')).toBeVisible();
  await quiet(page);
  // The first page of a person, and before it the one of restoreSession.
  expect(calls().filter((call) => !call.includes('aside=true'))).toEqual([]);
  expect(calls()).toHaveLength(1);
  await watchShift(page);
  await page.getByRole('link', { name: 'Обсуждаемые' }).click();
  await expect(page).toHaveURL(/\/discussed$/);
  await quiet(page);
  expect(calls()).toHaveLength(2);
  await column(page)
    .getByRole('link', { name: /пекарню/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/posts/${root}`));
  await expect(column(page)).toHaveCount(0);
});

test('with the operator’s own words it is accessible', async ({ page, ownWall }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(
    join(folder, 'about.md'),
    '# О стене\n\nСтена дома 12 по улице Мира: новости, помощь, разговоры. Читать может каждый, писать — соседи.\n',
  );
  await ownWall.restart({ PAGES_DIR: folder });
  const [root] = await seedTalks(ownWall);
  const by = await ownWall.seed.person('filler');
  await ownWall.seed.posts(Array.from({ length: 30 }, (_, index) => ({ by, text: `Запись ${index}`, age: 86_400 })));
  const { id, name } = await newPerson(ownWall);
  await ownWall.seed.follow(root!, id);
  await openPage(page, ownWall.url);
  await expect(column(page).getByRole('heading', { name: 'О стене' })).toBeVisible();
  await expect(page.getByText('Стена дома 12').filter({ visible: true })).toHaveCount(1);
  await expectAccessible(page);
  await restoreSession(page, ownWall, { id, name });
  await expect(column(page).getByRole('heading', { name: 'Слежу' })).toBeVisible();
  await expectAccessible(page);
  await rm(folder, { recursive: true });
});
