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
import { hide } from './support/reading.ts';
import { expectNoShift, expectNoShiftInFeed, watchShift } from './support/shift.ts';
import { newPerson, restoreSession, signInButton, signOut } from './support/sign-in.ts';
import { expect, nightly, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import type { Wall } from './support/wall.ts';
import { callsOf } from './support/writing.ts';

test('new notifications wait behind a pill without a layout shift, as after a reload', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await watchShift(page);
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveText(/иду!/);
  await expectUnread(page, 0);
  const before = await articles(page).first().boundingBox();
  await reply('И я!', 'И мы!');
  await expect(pill(page)).toHaveText('Показать новые: 2');
  await expect(heads(page)).toHaveText([/^1 новый ответ/]);
  await expect.poll(() => articles(page).first().boundingBox()).toEqual(before);
  await expectNoShift(page);
  await pill(page).click();
  await expectTexts(page, ['И мы!', 'И я!', 'Я иду!']);
  await expectUnread(page, 0);
  await page.reload();
  await expect(articles(page)).toHaveCount(3);
  await expectNoShift(page);
});

test('a notification appears on every device and is read on all', async ({ page, browser, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  const { me, reply } = await signInWithPost(page, ownWall);
  const phone = await (await browser.newContext()).newPage();
  await restoreSession(phone, ownWall, me);
  await page.route('**/notifications?*', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await bell(page).click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { name: 'Уведомлений пока нет' })).toBeVisible();
  await page.getByRole('button', { name: 'Назад' }).click();
  for (const device of [page, phone]) await expectUnread(device, 0);

  await reply('Я иду!');
  for (const device of [page, phone]) await expectUnread(device, 1);
  const icon = page.locator('link[rel=icon][type="image/svg+xml"]');
  await expect(icon).toHaveAttribute('href', '/favicon-unread.svg');
  await bell(page).press('Enter');
  await expect(marked(page)).toHaveText(/boris_petrov.*иду!/);
  await expect(page).toHaveTitle('Уведомления - Стена');
  await expect(bell(page)).toHaveAttribute('aria-current', 'page');
  for (const device of [page, phone]) await expectUnread(device, 0);
  await expect(icon).toHaveAttribute('href', '/favicon.svg');
  await expect(marked(page)).toHaveCount(1);
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveCount(0);
  await phone.context().close();
  await page.getByRole('button', { name: 'Назад' }).click();
  await reply(...Array.from({ length: 100 }, () => 'Ещё один'));
  await expectUnread(page, 100);
});

test('the bell follows the session in every tab', nightly, async ({ page, context, ownWall }) => {
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

test('older pages come below, and Back and a reload find the same place', nightly, async ({ page, ownWall }) => {
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

test('the keyboard goes from answer to answer, headings from group to group', nightly, async ({ page, ownWall }) => {
  const { me, boris, reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await ownWall.seed.posts([{ by: boris, text: `Спасибо, @${me.name}` }]);
  await openNotifications(page, ownWall);
  await expect(marked(page)).toHaveCount(1);
  await articles(page).first().focus();
  await page.keyboard.press('PageDown');
  await expect(cardOf(page, 'Я иду!').last()).toBeFocused();
  await expect(
    page.getByRole('feed').getByRole('article', { name: /^1 новый ответ · в вашем обсуждении «Кто идёт/ }),
  ).toBeVisible();
  await page.keyboard.press('k');
  await expect(articles(page).first()).toBeFocused();
  await reply('И мы!');
  await expect(pill(page)).toBeVisible();
  await expectAccessible(page);
});

test('a notification less than half visible, or for less than a second, stays unread', async ({ page, ownWall }) => {
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
  await layoutIsStable(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await hide(page, false);
  await page.clock.runFor(1_500);
  expect(reads).toEqual([]);
  const hold = async (part: number, ms: number) => {
    await page.evaluate(
      (y) =>
        new Promise<void>((scrolled) => {
          addEventListener('scroll', () => scrolled(), { once: true });
          scrollTo(0, y);
        }),
      top - header + height * part,
    );
    await page.clock.runFor(ms);
  };
  await hold(0.45, 900);
  await hold(0.55, 1_500);
  expect(reads).toEqual([]);
  await hold(0.45, 1_500);
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
  page.getByRole('feed').locator('article > div > [dir=auto]').allTextContents();

/** The card at the top of the window and its distance from the top. */
const topCard = (page: Page): Promise<{ text: string; top: number }> =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll('[role=feed] article[aria-posinset]')];
    const card = cards.find((each) => each.getBoundingClientRect().top >= 100);
    if (!card) return { text: '', top: 0 };
    const text = card.querySelector(':scope > div > [dir=auto]')!.textContent;
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

test('a removal is news once, and the page of the post shows it', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { me, post } = await signInWithPost(page, ownWall);
  const all = page.getByRole('region', { name: 'Убранное со стены' }).getByRole('listitem');
  const removed = all.filter({ hasText: 'Причина' });
  const read = callsOf(page, 'PUT', /notifications\/read$/);
  await openPage(page, ownWall.url);
  await ownWall.seed.act('remove', post, 'Реклама в каждом ответе');
  await expectUnread(page, 1);
  await openNotifications(page, ownWall);
  await expect(removed).toHaveCount(1);
  await expect(removed).toContainText('каток');
  await expectUnread(page, 0);
  await expect.poll(() => read.length).toBe(1);
  await openNotifications(page, ownWall);
  await expect(removed).toContainText('Причина: Реклама в каждом ответе');
  const [next] = await ownWall.seed.posts([{ by: me.id, text: 'Выиграй миллион!' }]);
  expect(read).toHaveLength(1);
  await ownWall.seed.act('remove', next!, 'Реклама');
  await expect(removed).toHaveText([/Выиграй миллион!/, /каток/]);
  await expectUnread(page, 0);
  await openPage(page, `${ownWall.url}/posts/${next}`);
  await expect(removed).toContainText('Выиграй миллион!');
  await expect(page.getByRole('main')).not.toContainText('Запись не найдена');
});

test('a notification opens its reply in the middle of the discussion, wherever it is there', async ({
  page,
  ownWall,
}) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply(...Array.from({ length: 30 }, (_, index) => `Ответ номер ${index + 1}`));
  for (const order of ['newest', 'oldest']) {
    await page.evaluate((stored) => localStorage.setItem('replies', stored), order);
    await openNotifications(page, ownWall);
    const sought = cardOf(page, 'Ответ номер 23');
    await sought.locator('[data-permalink]').click();
    await expect(page).toHaveURL(/\/posts\/\d+#\d+$/);
    await expect(sought).toBeFocused();
    const middle = async () => (await sought.boundingBox())!.y / page.viewportSize()!.height;
    await expect.poll(middle).toBeGreaterThan(0.2);
    await expect.poll(middle).toBeLessThan(0.5);
    await page.reload();
    await expect.poll(middle).toBeGreaterThan(0.2);
  }
});

test(
  'a link into a discussion to a reply that is not there leads to the page of the reply',
  nightly,
  async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/404/);
    const { reply } = await signInWithPost(page, ownWall);
    await reply('Один ответ');
    await openNotifications(page, ownWall);
    await cardOf(page, 'Один ответ').locator('[data-permalink]').click();
    await expect(page).toHaveURL(/#\d+$/);
    const discussion = page.url().replace(/#.*/, '');
    await openPage(page, ownWall.url);
    await openPage(page, `${discussion}#999999`);
    await expect(page.getByRole('main')).toContainText('Запись не найдена');
  },
);
