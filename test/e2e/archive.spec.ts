import { newPerson } from '../kit/seed.ts';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { takePictures } from './support/gallery.ts';
import { asShown, hostileTexts, nothingMayExecute } from './support/hostile.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

nothingMayExecute();

test('an owner takes the wall away; the file reads and searches without a network', async ({
  page,
  ownWall,
}, testInfo) => {
  const { seed } = ownWall;
  const owner = await newPerson(ownWall);
  await seed.appoint(owner, 'owner');
  const [oleg, vera] = [await seed.person('oleg_v'), await seed.person('vera_s')];
  await seed.name(oleg, 'Олег');
  await seed.posts(hostileTexts.map((text) => ({ by: vera, text, age: 90_000 })));
  const [lift] = await seed.posts([
    { by: oleg, text: `Лифты встали между третьим и четвёртым. Кто звонил, @vera_s? #лифт`, age: 7_200 },
    { by: vera, text: 'Утром был туман', age: 3_600 },
  ]);
  const [call] = await seed.replies(lift!, [
    { by: vera, text: 'Звонила, обещали к восьми', age: 7_000 },
    { by: oleg, text: 'Спасибо всем', age: 6_000 },
  ]);
  await seed.replies(call!, [{ by: oleg, text: 'Какого дня?', age: 6_500 }]);

  await restoreSession(page, ownWall, owner, '/keep?part=carry');
  await expect(page.getByRole('main')).toContainText('В файле останется и то, что потом удалят со стены');
  await page.getByRole('button', { name: 'Собрать файл' }).click();
  const link = page.getByRole('link', { name: 'Скачать файл' });
  await expect(link).toBeVisible();
  await expectAccessible(page);
  await takePictures(page, 'keep-carry');
  const download = page.waitForEvent('download');
  await link.click();
  const file = testInfo.outputPath('archive.html');
  await (await download).saveAs(file);

  await page.context().setOffline(true);
  const foreign: string[] = [];
  page.on('request', (request) => !request.url().startsWith('file:') && foreign.push(request.url()));
  await page.goto(`file://${file}`);
  const articles = page.getByRole('article');
  await expect(articles.first()).toContainText('Утром был туман');
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByText(/Сохранено .*, \d+ запис/)).toBeVisible();
  const count = hostileTexts.length + 2;
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(articles).toHaveCount(count, { timeout: 200 });
  }).toPass();
  const texts = await page.locator('article [dir=auto]').allTextContents();
  expect(texts.slice(2)).toEqual(hostileTexts.map(asShown).toReversed());
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await takePictures(page, 'archive-feed');
  await expectFits(page, phone, tablet, desk);

  // The keyboard reaches the post by the links in order, and Back returns to its link.
  await page.getByRole('searchbox').focus();
  for (const name of ['Найти', 'vera_s', /\d\d:\d\d/, 'Олег']) {
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toHaveAccessibleName(name);
  }
  const time = articles.nth(1).getByRole('link', { name: /\d\d:\d\d/ });
  await page.setViewportSize({ width: phone.width, height: 200 });
  await page.keyboard.press('Tab');
  await expect(time).toBeFocused();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: '3 ответа' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(time).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(place);

  await page.getByRole('link', { name: '3 ответа' }).click();
  await expect(page.getByRole('heading', { name: '3 ответа' })).toBeVisible();
  expect(await page.locator('article [dir=auto]').allTextContents()).toEqual([
    expect.stringContaining('Лифты встали'),
    'Звонила, обещали к восьми',
    'Какого дня?',
    'Спасибо всем',
  ]);
  const [nested, direct] = [articles.nth(2).locator('[dir=auto]'), articles.nth(3).locator('[dir=auto]')];
  expect((await nested.boundingBox())!.x).toBeGreaterThan((await direct.boundingBox())!.x);
  await expectAccessible(page);
  await takePictures(page, 'archive-discussion');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(articles).toHaveCount(4);
  for (const article of await articles.all()) {
    await expect(article).toBeVisible();
    await expect(article).toHaveCSS('color', 'rgb(0, 0, 0)');
  }
  await takePictures(page, 'archive-print', undefined, { desk });
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: '@vera_s' }).click();
  await expect(page.getByRole('heading', { name: 'vera_s' })).toBeVisible();
  await expect(articles.first()).toContainText('Звонила');
  await page.goBack();
  await page.goBack();
  await expect(articles.first()).toContainText('Утром был туман');

  const field = page.getByRole('searchbox', { name: 'Найти в архиве' });
  await field.fill('лифта');
  await field.press('Enter');
  await expect(page.getByRole('status')).toHaveText('Нашлось: 1 запись');
  await expectAccessible(page);
  await takePictures(page, 'archive-search');
  await page.getByRole('link', { name: '#лифт' }).click();
  await expect(page.getByRole('status')).toHaveText('Нашлось: 1 запись');
  await field.fill('бегемот');
  await field.press('Enter');
  await expect(page.getByRole('status')).toHaveText('Ничего не нашлось');
  expect(foreign).toEqual([]);
});
