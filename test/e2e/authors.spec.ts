import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openPage, reloadPage } from './support/app.ts';
import { holdBack } from './support/code-files.ts';
import { articles, cardOf, scrollToPost } from './support/feed.ts';
import { expectMuted, loud, loudPost, loudText, opener, seedAuthors, texts } from './support/muting.ts';
import { longName } from './support/populated-wall.ts';
import { phone, desk, tablet } from './support/screens.ts';
import { searchPath } from './support/search.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { profileLink, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import { callsOf, signInNewPerson, choose, holdToasts, menuButton, toast } from './support/writing.ts';

const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Записи и ответы' }).getByRole('link', { name, exact: true });

test('the skeleton of a tab has the shape of what comes, which is accessible', async ({ page }) => {
  await openPage(page, `/users/${longName}`);
  const held = await holdBack(page, '**/api/v1/posts?*filter=replies*');
  await tab(page, 'Ответы').click();
  // The skeleton's first post is the fourth element, after a text for screen readers, the facts and the tabs.
  const first = await page.locator('main [aria-busy=true] > :nth-child(4)').boundingBox();
  held.resolve();
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
  await expect.poll(async () => (await articles(page).first().boundingBox())?.y).toBe(first!.y);
  await expectAccessible(page);
});

test('on a phone the tabs of one’s own page are one line on each of them, and lead to the liked posts', async ({
  page,
  ownWall,
}) => {
  await page.setViewportSize(phone);
  await signInNewPerson(page, ownWall, '/own/saved');
  for (const name of ['Записи', 'Ответы', 'Сохранённое']) {
    await tab(page, name).click();
    await expect(tab(page, name)).toHaveAttribute('aria-current', 'page');
    const list = tab(page, name).locator('xpath=ancestor::ul[1]');
    const [bar, link] = [(await list.boundingBox())!, (await tab(page, name).boundingBox())!];
    expect(bar.height, name).toBeLessThan(1.5 * link.height);
  }
  // The lists of the specification have no tabs above them.
  await tab(page, 'Понравившиеся').click();
  await expect(page).toHaveURL(`${ownWall.url}/liked`);
  await expect(page.getByText('Записи не найдены')).toBeVisible();
  await expect(tab(page, 'Записи')).toHaveCount(0);
});

test('the posts of an author do not wait, though the name may be another’s by now', async ({ page, ownWall }) => {
  const [by, other] = [await ownWall.seed.person('boris_k'), await ownWall.seed.person('galina_m')];
  await ownWall.seed.posts([{ by, text: 'Где пекарня?' }]);
  const author = '**/api/v1/users/boris_k';
  const held = await holdBack(page, author);
  await openPage(page, ownWall.url);
  const asked = callsOf(page, 'GET', /\/posts$/);
  await cardOf(page, 'Где пекарня?').getByRole('link', { name: 'boris_k' }).click();
  await expect.poll(() => asked.length).toBe(1);
  held.resolve();
  await expect(page).toHaveTitle('boris_k - Стена');
  await expectTexts(page, ['Где пекарня?']);
  expect(asked).toHaveLength(1);
  await page.unroute(author);

  await openPage(page, ownWall.url);
  await ownWall.seed.posts([{ by: other, text: 'Пекарня за углом' }]);
  const json = { id: String(other), username: 'boris_k', created_at: 1_700_000_000 };
  await page.route(author, (route) => route.fulfill({ json }));
  await cardOf(page, 'Где пекарня?').getByRole('link', { name: 'boris_k' }).click();
  await expectTexts(page, ['Пекарня за углом']);
});

test('a reload neither shifts the page nor shows the muted posts', async ({ page, ownWall }) => {
  const { calmReply, disputed } = await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, texts.loud, 'Не показывать автора');
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  await watchShift(page);
  for (const viewport of [phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    for (const path of ['/', `/posts/${disputed}`, `/posts/${calmReply}`, `/users/${loud}`]) {
      await openPage(page, ownWall.url + path);
      // On a phone the link is in the document but not shown.
      await expect(profileLink(page)).toBeAttached();
      await expectNoShift(page);
    }
  }

  await openPage(page, `${ownWall.url}/posts/${calmReply}`);
  const quote = page.getByRole('group', { name: 'Начало обсуждения' }).getByRole('link', { name: loud });
  const asQuote = await quote.boundingBox();
  const shown = (text: string) =>
    page
      .getByText(text)
      .evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility({ visibilityProperty: true })).length);
  // Without its scripts the page stays as it is before hydration.
  await page.route('**/assets/*.js', () => {});
  await page.goto(`${ownWall.url}/posts/${calmReply}`, { waitUntil: 'commit' });
  await expect.poll(() => quote.boundingBox()).toEqual(asQuote);
  expect(await shown(texts.loud)).toBe(0);
  await page.goto(ownWall.url, { waitUntil: 'commit' });
  await expect.poll(() => shown(texts.calm)).toBe(1);
  const row = page.getByRole('main').locator('article').filter({ hasText: texts.loud });
  await expect(row).toHaveCount(1);
  expect(await row.boundingBox()).toBeNull();
});

test('lists have no row for a muted author; in discussions a line stands for each reply', async ({ page, ownWall }) => {
  await holdToasts(page);
  const { disputed, calmReply, loudId, calmId } = await seedAuthors(ownWall);
  const [root] = await ownWall.seed.posts([{ by: calmId, text: 'Где чинят зонты?' }]);
  for (const by of [loudId, calmId, loudId]) await ownWall.seed.replies(root!, [{ by, text: 'Ответ' }]);
  await signInNewPerson(page, ownWall);
  const main = page.getByRole('main');
  const beside = page.locator('aside').getByText('зонты');
  await expect(beside).toBeVisible();
  await choose(page, texts.loud, 'Не показывать автора');
  await toast(page, 'Автор скрыт').getByRole('button', { name: 'Вернуть' }).click();
  await expect(loudText(page)).toBeVisible();
  await expect(toast(page, 'Автор снова показывается')).toBeVisible();
  await choose(page, texts.loud, 'Не показывать автора');
  await expectMuted(page);
  await expect(beside).toHaveCount(0);
  await expect(main).toContainText('Где чинят зонты');

  await cardOf(page, texts.disputed).locator('time').click();
  await expect(opener(page)).toBeVisible();
  await expect(main.getByRole('button', { name: 'Ответить' }).first()).toHaveText('Ответить 2');
  await expect(main).not.toContainText('А я не согласен');
  const { x, y, width, height } = (await opener(page).boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(main).toContainText('А я не согласен');
  const opened = articles(page).filter({ hasText: 'А я не согласен' });
  await expect(opened).toBeFocused();
  // The second click of a double click opens nothing.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(page).toHaveURL(`${ownWall.url}/posts/${disputed}`);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expectMuted(page);

  await openPage(page, `${ownWall.url}/posts/${calmReply}`);
  await expect(page.getByRole('link', { name: `${loud} Автор скрыт` })).toBeVisible();
  for (const path of ['/', `/posts/${disputed}`, `/posts/${calmReply}`])
    expect(await (await fetch(ownWall.url + path)).text()).not.toMatch(/автор скрыт/i);

  await openPage(page, `${ownWall.url}/discussed`);
  await expect(main).toContainText('зонты');

  await openPage(page, ownWall.url + searchPath('снова'));
  await expectMuted(page);
  await openPage(page, `${ownWall.url}/users/${loud}`);
  await expect(loudText(page)).toBeVisible();

  // A browser without the stored list loads it, and does not count the posts.
  await page.evaluate(() => localStorage.removeItem('muted'));
  await openPage(page, ownWall.url);
  await expectMuted(page);
  await ownWall.seed.posts([
    { by: loudId, text: 'И ещё' },
    { by: calmId, text: 'Тихий вечер' },
  ]);
  await page.getByRole('button', { name: 'Показать новые: 1' }).click();
  await expect(cardOf(page, 'Тихий вечер')).toBeVisible();
  await expect(main).not.toContainText('И ещё');
  await signOut(page);
  await expect(loudText(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('muted'))).toBeNull();
});

test('muting further down moves nothing on the screen, and a page of muted posts brings the next one', async ({
  page,
  ownWall,
}) => {
  await holdToasts(page);
  const { loudId, calmId } = await seedAuthors(ownWall);
  const posts = (by: number, name: string, count: number) =>
    ownWall.seed.posts(Array.from({ length: count }, (_, index) => ({ by, text: `${name} ${index + 1}` })));
  await posts(calmId, 'Старое', 12);
  await posts(loudId, 'Громкое', 25);
  for (const n of [1, 2, 3, 4, 5, 6]) {
    await posts(calmId, `Тихое ${n},`, 2);
    await posts(loudId, `Шумное ${n},`, 1);
  }
  await signInNewPerson(page, ownWall);
  // The first post is near the top of the list. Above the second one are rows that are not in the document.
  for (const [position, text] of [
    [9, 'Шумное 4, 1'],
    [18, 'Шумное 1, 1'],
  ] as const) {
    await scrollToPost(page, position);
    await menuButton(page, text).click();
    const held = await page.evaluateHandle(() =>
      [...document.querySelectorAll('[role=feed] article')].find(
        (card) => card.getBoundingClientRect().bottom > 60 && /Тихое/.test(card.textContent),
      )!,
    );
    const place = () => held.evaluate((card) => Math.round(card.getBoundingClientRect().top));
    const before = await place();
    await page.getByRole('menuitem', { name: 'Не показывать автора' }).click();
    await expect(loudPost(page)).toHaveCount(0);
    await expect.poll(place, text).toBe(before);
    await toast(page, 'Автор скрыт').getByRole('button', { name: 'Вернуть' }).click();
    await expect(loudPost(page).first()).toBeAttached();
    await expect.poll(place, `${text} is back`).toBe(before);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await choose(page, 'Шумное 6, 1', 'Не показывать автора');
  await expect(loudPost(page)).toHaveCount(0);
  await openPage(page, ownWall.url);
  await scrollToPost(page, 18);
  // Two pages below have no row at all.
  await expect(cardOf(page, 'Старое 12')).toBeVisible();
  await expect(loudPost(page)).toHaveCount(0);
});

test('on their page an author is followed, once, and muted for every tab', async ({ page, context, ownWall }) => {
  await seedAuthors(ownWall);
  const me = await signInNewPerson(page, ownWall);
  const other = await context.newPage();
  await openPage(other, ownWall.url);
  await openPage(page, `${ownWall.url}/users/${me.name}`);
  const menu = page.getByRole('button', { name: 'Действия с автором' });
  await expect(page.getByRole('link', { name: 'Изменить' })).toBeVisible();
  await expect(menu).toHaveCount(0);
  await openPage(page, `${ownWall.url}/users/${loud}`);
  const calls = callsOf(page, 'PUT', /\/follow$/);
  await page.getByRole('button', { name: 'Следить', exact: true }).dblclick();
  await expect(toast(page, 'Вы следите за автором')).toBeVisible();
  await reloadPage(page);
  await page.getByRole('button', { name: 'Не следить' }).click();
  await expect(toast(page, 'Вы больше не следите за автором')).toBeVisible();
  expect(calls).toHaveLength(1);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Не показывать автора' }).click();
  await expect(toast(page, 'Автор скрыт')).toBeVisible();
  await expect(page.getByRole('button', { name: /ледить$/ })).toBeHidden();
  await expectMuted(other);
  for (const look of [async () => {}, () => reloadPage(page)]) {
    await look();
    await expect(page.getByText('Вы не показываете этого автора')).toBeVisible();
    await expect(loudText(page)).toBeVisible();
  }
  await menu.click();
  await page.getByRole('menuitem', { name: 'Показывать автора' }).click();
  await expect(loudText(other)).toBeVisible();
});
