import type { Page } from '@playwright/test';
import { paths } from './support/account.ts';
import { openPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { boris, longName, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson } from './support/writing.ts';

test('the feed: skip link, navigation, heading, posts', async ({ page, wall }) => {
  await openPage(page, '/');
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - /children: equal
    - link "К содержанию"
    - button "Клавиши"
    - navigation "Разделы":
      - /children: equal
      - link "Стена"
      - link "Лента"
      - button "Новая запись"
      - link "Поиск"
      - link "Уведомления"
      - link "Сохранённое"
      - button "Светлая тема"
      - paragraph
    - banner:
      - /children: equal
      - heading "Стена" [level=1]
      - combobox "Лента"
      - button "Войти"
    - status
    - main:
      - /children: equal
      - status
      - navigation "Порядок ленты"
      - paragraph
      - feed "Записи"
      - button "Показать ещё"
    - complementary:
      - /children: equal
      - heading "Сейчас обсуждают" [level=2]
      - list:
        - listitem:
          - link "${texts.discussed}"
          - text: /\\d+/
    - status
    - status
  `);
  await expect(cardOf(page, texts.discussed)).toMatchAriaSnapshot(`
    - article "${boris}":
      - /children: equal
      - link "${boris}"
      - link "1 ч.":
        - /url: /posts/${wall.ids.discussed}
      - button "Действия с записью"
      - text: ${texts.discussed}
      - button "Нравится"
      - button "Ответить 26"
      - link /${boris} Ответ на ответ/
  `);
});

test('the page of a reply announces the way to it before the reply', async ({ page, wall }) => {
  await openPage(page, `/posts/${wall.ids.nested}`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - status
      - group "Начало обсуждения":
        - /children: equal
        - link "${boris} ${texts.discussed}"
        - link "${longName} Ответ 1"
      - article "${boris}":
        - link "${boris}"
        - button "Действия с записью"
        - text: Ответ на ответ
        - link / · /
        - button "Нравится"
        - button "Ответить"
      - heading "Ответы" [level=2]
      - heading "Ответов пока нет" [level=2]
      - button "Ответить первым"
  `);
});

test('every page has one main heading and skips no level', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { id } = await signInNewPerson(page, ownWall);
  const [post] = await ownWall.seed.posts([{ by: id, text: 'Запись' }]);
  const lists = [
    '/',
    '/liked',
    '/own/posts',
    '/own/replies',
    '/notifications',
    '/search',
    '/search?q=ничего',
    `/posts/${post}`,
  ];
  for (const path of [...lists, ...Object.values(paths), '/settings/devices', '/settings/muted', '/nowhere']) {
    await openPage(page, ownWall.url + path);
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    expect(await outline(page), path).toMatch(/^1(2)*$/);
    await expect(page.getByRole('main')).toHaveCount(1);
    await expect(page.getByRole('banner')).toHaveCount(1);
  }
});

test('announces that a page loads and that it has loaded', async ({ page, wall }) => {
  await openPage(page, '/');
  let respond = () => {};
  const asked = new Promise<void>((resolve) => (respond = resolve));
  await page.route(`**/api/v1/posts/${wall.ids.discussed}/thread?*`, async (route) => {
    await asked;
    await route.continue();
  });
  await cardOf(page, texts.discussed).locator('time[title]').click();
  await expect(page.getByRole('status').filter({ hasText: 'Загрузка' })).toHaveCount(1);
  await expect(page.getByRole('main').getByText('Загрузка')).toHaveCount(1);
  respond();
  await expect(page.getByRole('status').filter({ hasText: 'Страница загружена' })).toHaveCount(1);
});

/** The levels of the headings in document order. */
function outline(page: Page): Promise<string> {
  return page.getByRole('heading').evaluateAll((headings) => headings.map(({ tagName }) => tagName.slice(1)).join(''));
}
