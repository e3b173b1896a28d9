import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { mutesLoaded, openPage } from './support/app.ts';
import { articles, cardOf, scrollToPost, layoutIsStable } from './support/feed.ts';
import {
  bell,
  expectUnread,
  heads,
  marked,
  openNotifications,
  pill,
  readNotifications,
  signInWithPost,
} from './support/notifications.ts';
import { expectNoShift, expectNoShiftInFeed, watchShift } from './support/shift.ts';
import { newPerson, restoreSession, signInButton, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import type { Wall } from './support/wall.ts';

test('new notifications wait behind a pill without a layout shift, and a reload has none', async ({
  page,
  ownWall,
}) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await watchShift(page);
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveText(/иду!/);
  await expectUnread(page, 0);
  const before = await articles(page).first().boundingBox();
  await reply('И я!', 'И мы!');
  await expect(pill(page)).toHaveText('Показать новые: 2');
  await expect(heads(page)).toHaveText([/^1\sновый\sответ/]);
  expect(await articles(page).first().boundingBox()).toEqual(before);
  await expectNoShift(page);
  await pill(page).click();
  await expectTexts(page, ['И мы!', 'И я!', 'Я иду!']);
  await expectUnread(page, 0);
  await page.reload();
  await expect(articles(page)).toHaveCount(3);
  await expectNoShift(page);
});

test('the bell follows the session in every tab', async ({ page, context, ownWall }) => {
  const { boris, reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await expectUnread(page, 1);
  const other = await context.newPage();
  const mutes = mutesLoaded(other);
  await openPage(other, ownWall.url);
  await mutes;
  await signOut(other);
  await expect(signInButton(page)).toBeVisible();
  await expectUnread(page, 0);
  const vera = await newPerson(ownWall);
  await restoreSession(other, ownWall, vera);
  await expectUnread(page, 0);
  const [hers] = await ownWall.seed.posts([{ by: vera.id, text: 'Запись Веры' }]);
  await ownWall.seed.replies(hers!, [
    { by: boris, text: 'Раз' },
    { by: boris, text: 'Два' },
  ]);
  await expectUnread(page, 2);
});

test('older pages come below, and Back and a reload find the same place', async ({ page, ownWall }) => {
  await fill(page, ownWall, 44);
  await watchShift(page);
  await openNotifications(page, ownWall);
  await expect(articles(page)).toHaveCount(10);
  const before = await order(page);
  await scrollToPost(page, 40);
  await expectNoShiftInFeed(page);
  await page.evaluate(() => scrollBy(0, -555));
  await layoutIsStable(page);
  const sight = await topCard(page);
  await cardOf(page, sight.text).locator('[data-permalink]').click();
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect.poll(() => topCard(page)).toEqual(sight);
  await page.reload();
  await expect.poll(() => topCard(page)).toEqual(sight);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => order(page)).toEqual(expect.arrayContaining(before));
  expect((await order(page)).slice(0, before.length)).toEqual(before);
});

test('the keyboard goes from answer to answer, headings from group to group', async ({ page, ownWall }) => {
  const { me, boris, reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await ownWall.seed.posts([{ by: boris, text: `Спасибо, @${me.name}` }]);
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveCount(1);
  await articles(page).first().focus();
  await page.keyboard.press('PageDown');
  await expect(cardOf(page, 'Я иду!').last()).toBeFocused();
  await expect(
    page.getByRole('feed').getByRole('article', { name: /^1\sновый\sответ\s·\sв\sвашем\sобсуждении\s«Кто\sидёт/ }),
  ).toBeVisible();
  await page.keyboard.press('k');
  await expect(articles(page).first()).toBeFocused();
  await reply('И мы!');
  await expect(pill(page)).toBeVisible();
  await expectAccessible(page);
});

test('a notification less than half visible stays unread', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply(...Array.from({ length: 9 }, () => 'Прежний'));
  await readNotifications(page, ownWall);
  await page.getByRole('button', { name: 'Назад' }).click();
  await reply('Я иду!');
  await expectUnread(page, 1);
  const reads = readsOf(page);
  await hide(page, true);
  await bell(page).click();
  const { y: top, height } = (await marked(page).boundingBox())!;
  const header = await page.getByRole('banner').evaluate((element) => element.getBoundingClientRect().bottom);
  await page.evaluate((y) => scrollTo(0, y), top - header + height * 0.55);
  await hide(page, false);
  await page.waitForTimeout(1_500);
  expect(reads).toEqual([]);
  await page.evaluate((y) => scrollTo(0, y), top - header + height * 0.45);
  await expectUnread(page, 0);
});

test('a notification taller than the window is read when it fills half of the window', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Длинный ответ о том, как мы катались. '.repeat(13));
  await page.setViewportSize({ width: 300, height: 240 });
  await openNotifications(page, ownWall);
  const { height } = (await marked(page).boundingBox())!;
  expect(height).toBeGreaterThan(2 * 240);
  await marked(page).evaluate((card) => scrollBy(0, card.getBoundingClientRect().top));
  await expectUnread(page, 0);
});

/** Answers in three discussions in turns. */
async function fill(page: Page, wall: Wall, count: number): Promise<void> {
  const { me, boris } = await signInWithPost(page, wall);
  const roots = await wall.seed.posts(['Лыжи', 'Коньки', 'Санки'].map((text) => ({ by: me.id, text })));
  for (let n = 0; n < count; n += 1) {
    await wall.seed.replies(roots[(n * 5 + (n >> 2)) % 3]!, [{ by: boris, text: `Ответ номер ${n} про зиму` }]);
  }
}

const order = (page: Page): Promise<string[]> =>
  page.getByRole('feed').locator('article > [dir=auto]').allTextContents();

/** The card at the top of the window and its distance from the top. */
const topCard = (page: Page): Promise<{ text: string; top: number }> =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll('[role=feed] article[aria-posinset]')];
    const card = cards.find((each) => each.getBoundingClientRect().top >= 100);
    if (!card) return { text: '', top: 0 };
    const text = card.querySelector(':scope > [dir=auto]')!.textContent.replaceAll('\u00a0', ' ');
    return { text, top: Math.round(card.getBoundingClientRect().top) };
  });

/** The positions that the page reports as read from now on. */
function readsOf(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/notifications/read'))
      reads.push(request.postDataJSON().up_to);
  });
  return reads;
}

/** Simulates that another tab covers this one. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
