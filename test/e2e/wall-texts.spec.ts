import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { wallTextLength } from '#contract/wall-setting-rules.ts';
import { expectAccessible, expectFits } from './support/accessible.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { callAs, newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { toast } from './support/writing.ts';

const mainHeading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });

test('/api reads well in both themes, and leads to each call', async ({ page }) => {
  // The page is long, and axe looks at each of its elements.
  test.slow();
  await page.setViewportSize(phone);
  await openPage(page, '/about');
  await page.getByRole('main').getByRole('link', { name: 'API' }).click();
  await expect(mainHeading(page, 'API')).toBeVisible();
  await markDocument(page);
  await page.getByRole('navigation', { name: 'Содержание' }).getByRole('link', { name: 'Опубликовать запись' }).click();
  await expect(page).toHaveURL(/\/api#createPost$/);
  await expectSameDocument(page);
  const heading = page.getByRole('heading', { level: 3, name: 'Опубликовать запись' });
  await expect(heading).toBeInViewport({ ratio: 1 });
  const { height } = (await page.getByRole('banner').boundingBox())!;
  await expect.poll(async () => (await heading.boundingBox())!.y).toBeGreaterThanOrEqual(height);
  await expectAccessible(page);
  await expectFits(page, desk, tablet, phone);
});

test.describe('a text of the operator', () => {
  let folder: string;
  test.beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pages-'))));
  test.afterEach(() => rm(folder, { recursive: true }));

  test('is shown with all its parts, also on paper', async ({ page, ownWall }) => {
    const text = [
      '# Устав двора',
      'Вступление с *курсивом*, **важным** и `кодом`.',
      '## Раздел\n\n1. раз\n2. два\n\n- список\n  - внутри',
      '> Цитата',
      '```\nдлинная строка '.concat('x'.repeat(200), '\n```'),
      '| Что | Сколько |\n| --- | --- |\n| Данные | пока не удалите |',
      '---',
      'Очень'.repeat(60),
    ].join('\n\n');
    await writeFile(join(folder, 'rules.md'), text);
    await ownWall.restart({ PAGES_DIR: folder });
    await openPage(page, `${ownWall.url}/rules`);
    await expect(mainHeading(page, 'Устав двора')).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: 'Раздел' })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page, phone);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('Вступление')).toBeVisible();
    await expect(page.getByRole('link', { name: 'О стене' })).toHaveCount(0);
  });
});

test('a script that got in can make no HTML of a string', async ({ page, pageErrors }) => {
  pageErrors.expect(/TrustedHTML/, /trusted-types|Trusted Type/i);
  await openPage(page, '/');
  const outcomes = await page.evaluate(() => {
    const { trustedTypes } = window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } };
    const tries = [
      () => (document.querySelector('main')!.innerHTML = '<b>чужое</b>'),
      () => trustedTypes.createPolicy('own', { createHTML: (html: string) => html }),
    ];
    return tries.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(outcomes).toEqual(['TypeError', 'TypeError']);
});

test('the length of a text is counted as people count', async ({ page, ownWall }) => {
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  await restoreSession(page, ownWall, owner, '/keep?text=rules');
  const text = page.getByRole('textbox', { name: 'Текст с разметкой Markdown' });
  const save = page.getByRole('main').getByRole('button', { name: 'Сохранить' });
  // Each of these is two units of UTF-16.
  await text.fill('🦔'.repeat(wallTextLength + 1));
  await expect(save).toBeDisabled();
  await text.fill('🦔'.repeat(wallTextLength));
  await expect(save).toBeEnabled();
});

test('an old tab that saves the name leaves a closed wall as it is', async ({ page, ownWall }) => {
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  await restoreSession(page, ownWall, owner, '/keep');
  const field = (name: string) => page.getByRole('textbox', { name });
  const save = page.getByRole('main').getByRole('button', { name: 'Сохранить' });
  const name = field('Как называется');
  await page.getByRole('link', { name: 'Имя и значок' }).click();
  await name.fill('');
  await expect(page.getByRole('main').getByRole('alert').first()).toContainText('Введите имя');
  await expect(save).toBeDisabled();
  await callAs(ownWall, owner.id, 'PUT', '/keep/settings', {
    readers: 'members',
    registration: 'closed',
    line: 'Двор',
  });
  await name.fill('Наш двор');
  await expect(page.getByRole('figure')).toContainText('Наш двор');
  await field('Кому писать о стене').fill('dvor@example.org');
  await name.press('Enter');
  await expect(page).toHaveTitle('Имя и значок - Наш двор');
  await expect(page.getByRole('link', { name: 'Наш двор' })).toBeVisible();
  await expect(name).toBeFocused();
  await expect(toast(page, 'Сохранено')).toBeVisible();
  await expect(field('Кому писать о стене')).toHaveValue('dvor@example.org');
  await expect(field('Для кого и о чём, одной строкой')).toHaveValue('Двор');
  await page.getByRole('radio', { name: 'высотка' }).check();
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(page.getByRole('radio', { name: 'Без значка: кирпичи' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.locator('link[rel=icon]')).toHaveCount(1);
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^\/mark\.svg/);
  await expect(page.getByRole('radio', { name: 'дом', exact: true })).toBeFocused();
  expect((await fetch(`${ownWall.url}/api/v1/posts`)).status).toBe(401);
});

test('a closed wall shows visitors its door alone, and members its header and rail as ever', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.tolerate(/401/);
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  const settings = { name: 'Дом 12', mark: '🏡', contact: 'dvor@example.org', registration: 'members' };
  await callAs(ownWall, owner.id, 'PUT', '/keep/settings', { ...settings, readers: 'members' });
  const controls = page.getByRole('banner').locator('a, button');
  for (const size of [phone, tablet, desk]) {
    await page.setViewportSize(size);
    await openPage(page, ownWall.url);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(controls.filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('link')).toHaveText(['У меня есть приглашение', 'dvor@example.org']);
    await expect(page.getByRole('button')).toHaveText(['Клавиши', 'Войти']);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    const { width, y } = (await page.getByRole('main').locator('[aria-hidden]').first().boundingBox())!;
    expect([width, y]).toEqual([64, 112]);
    const button = (await page.getByRole('button', { name: 'Войти' }).boundingBox())!;
    expect(button.width).toBeLessThanOrEqual(358);
    expect(Math.abs(button.x * 2 + button.width - size.width)).toBeLessThanOrEqual(1);
    await expectAccessible(page);
  }
  await restoreSession(page, ownWall, owner, '/');
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await expect(controls.first()).toBeVisible();
});

test('the browser of an owner draws the pictures of the wall, which a program without fonts cannot', async ({
  page,
  ownWall,
}) => {
  const owner = await newPerson(ownWall);
  await ownWall.seed.appoint(owner, 'owner');
  await callAs(ownWall, owner.id, 'PUT', '/keep/settings', { line: 'О чём говорят соседи', mark: '🏡' });
  await restoreSession(page, ownWall, owner, '/keep?part=about');
  const drawn = () => page.request.get(`${ownWall.url}/wall-share.png`);
  await expect.poll(async () => (await drawn()).status()).toBe(200);
  const before = await (await drawn()).body();
  const name = page.getByRole('textbox', { name: 'Как называется' });
  await name.fill('Дом двенадцать на Мира');
  await name.press('Enter');
  // The former pictures are removed before the new ones are stored.
  await expect
    .poll(async () => (await drawn()).status() === 200 && !(await (await drawn()).body()).equals(before))
    .toBe(true);

  const colours = (path: string) =>
    page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const { width, height } = image;
      const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const seen = new Set<string>();
      for (let i = 0; i < data.length; i += 4) seen.add(`${data[i]} ${data[i + 1]} ${data[i + 2]}`);
      return { width, height, hasInk: seen.has('249 246 241'), hasBricks: seen.has('239 119 75') };
    }, path);
  expect(await colours('/wall-share.png')).toMatchObject({ width: 1200, height: 630, hasInk: true });
  expect(await colours('/apple-touch-icon.png')).toMatchObject({ width: 180, height: 180, hasBricks: true });
  expect(await colours('/wall-icon.png')).toMatchObject({ width: 180, height: 180, hasBricks: false });
  const head = await (await page.request.get(ownWall.url)).text();
  expect(head).toMatch(/<link rel="apple-touch-icon" href="\/wall-icon\.png\?\w+"/);
  expect(head).toMatch(/<meta property="og:image" content="[^"]*\/wall-share\.png\?\w+"/);
});
