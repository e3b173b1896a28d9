import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { articles, cardOf, scrollToPost, settled } from './support/feed.ts';
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
import { restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import type { Wall } from './support/wall.ts';
import { choose } from './support/writing.ts';

test('answers stand below the head of their discussion, whose post is quoted once', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const { me, boris, post, reply } = await signInWithPost(page, ownWall);
  const [bakery] = await seed.posts([
    { by: me.id, text: 'Кто знает хорошую пекарню? У старого моста закрыли. '.repeat(3) },
  ]);
  await reply('Раз');
  await seed.replies(bakery!, [{ by: boris, text: 'За аптекой' }]);
  await reply('Два');
  const [mine] = await seed.replies(post, [{ by: me.id, text: 'Тогда в десять' }]);
  await seed.replies(mine!, [
    { by: boris, text: 'Три' },
    { by: boris, text: 'Четыре' },
  ]);
  await openNotifications(page, ownWall);
  await expect(heads(page)).toHaveText([
    /^4\sновых\sответа\s·\sв\sвашем\sобсуждении\s«Кто\sидёт\sна\sкаток\?»$/,
    /^1\sновый\sответ\s·\sв\sвашем\sобсуждении\s«Кто\sзнает\sхорошую\sпекарню\?\sУ\sстарого\sмоста\sзакрыли\.\sКто…»$/,
  ]);
  await expectTexts(page, ['Четыре', 'Три', 'Два', 'Раз', 'За аптекой']);
  // What is not in the head is quoted where it is answered first.
  const quotes = page.getByRole('feed').getByRole('link').filter({ hasText: 'Тогда в десять' });
  await expect(quotes).toHaveCount(1);
  await expect(cardOf(page, 'Четыре').getByRole('link', { name: 'Тогда в десять' })).toBeVisible();
  await expect(cardOf(page, 'Два')).toContainText(/на\sсаму\sзапись/);
  await expect(cardOf(page, 'Раз')).not.toContainText(/на\sсаму\sзапись/);
  await expect(page.getByRole('feed').getByText(/Кто\sидёт\sна\sкаток/)).toHaveCount(1);

  await heads(page).nth(1).getByRole('link').click();
  await expect(page).toHaveURL(`${ownWall.url}/posts/${bakery}`);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expectUnread(page, 0);
  await page.reload();
  await expect(heads(page)).toHaveText([/^4\sответа\s·\s/, /^1\sответ\s·\s/]);
});

test('a mention and a followed discussion say why they are there, on every device', async ({
  page,
  browser,
  ownWall,
}) => {
  const { seed } = ownWall;
  const { me, boris } = await signInWithPost(page, ownWall);
  const [his, other] = await seed.posts([
    { by: boris, text: 'Где чинят коньки?' },
    { by: boris, text: 'Кто был на озере?' },
  ]);
  await seed.follow(his!, me.id);
  const phoneContext = await browser.newContext();
  const phone = await phoneContext.newPage();
  await restoreSession(phone, ownWall, me);
  await seed.replies(his!, [{ by: boris, text: 'Нашёл сам' }]);
  await seed.replies(other!, [{ by: boris, text: `Думаю, @${me.name} был` }]);
  await seed.posts([{ by: boris, text: `Спасибо, @${me.name}, за лёд` }]);
  for (const device of [page, phone]) await expectUnread(device, 3);

  await bell(page).click();
  await expect(heads(page)).toHaveText([
    /^Новое\sупоминание\sв\sзаписи\sboris_petrov$/,
    /^1\sновый\sответ\s«Кто\sбыл\sна\sозере\?»$/,
    /^1\sновый\sответ\s·\sвы\sследите\sза\sобсуждением\s«Где\sчинят\sконьки\?»$/,
  ]);
  await expect(cardOf(page, 'за лёд')).not.toContainText(/упоминает\sвас/);
  await expect(cardOf(page, 'за лёд')).toHaveAccessibleName(/^Новая\sзапись\sboris_petrov$/);
  await expect(cardOf(page, 'Думаю')).toContainText(/упоминает\sвас/);
  await expect(cardOf(page, 'Нашёл сам')).not.toContainText(/следите/);
  for (const device of [page, phone]) await expectUnread(device, 0);
  await phoneContext.close();
});

test('the head names one’s own discussion, and a changed post is named', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const { boris, post, reply } = await signInWithPost(page, ownWall);
  const vera = await seed.person('vera_smirnova');
  const [first] = await reply('Я иду!');
  await seed.replies(first!, [{ by: vera, text: 'И я с тобой' }]);
  await openNotifications(page, ownWall);
  const card = articles(page).filter({ hasText: 'И я с тобой' });
  await expect(heads(page)).toHaveText([/^2\sновых\sответа\s·\sв\sвашем\sобсуждении/]);
  await expect(card).not.toContainText(/в\sвашем\sобсуждении/);
  await expect(card.getByRole('link', { name: 'Я иду!' })).toBeVisible();
  await seed.mark(post, { modified_at: Math.floor(Date.now() / 1_000) + 60 });
  await seed.edit(post, 'Кто идёт на лыжах?');
  await expect(heads(page)).toHaveText([/«Кто\sидёт\sна\sлыжах\?»$/]);
  await seed.remove(post);
  await expect(heads(page)).toHaveText([/^2\sновых\sответа\s·\sвы\sследите\sза\sобсуждением\sЗапись\sудалена$/]);
  await expect(heads(page).getByRole('link')).toHaveCount(0);
  expect(boris).toBeGreaterThan(0);
});

test('a group of muted authors vanishes and returns', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const { me, post, reply } = await signInWithPost(page, ownWall);
  const loud = await seed.person('oleg_gromkiy');
  const [bakery] = await seed.posts([{ by: me.id, text: 'Где пекарня?' }]);
  await reply('Я иду!');
  await seed.replies(bakery!, [{ by: loud, text: 'Сам ищи' }]);
  await seed.replies(post, [{ by: loud, text: 'И куда ты идёшь' }]);
  await openNotifications(page, ownWall);
  await expect(heads(page)).toHaveCount(2);
  await choose(page, 'Сам ищи', 'Скрыть автора');
  await expect(heads(page)).toHaveText([/^1\sновый\sответ\s·\sв\sвашем\sобсуждении\s«Кто\sидёт\sна\sкаток\?»$/]);
  await expectTexts(page, ['Я иду!']);
  await expect(articles(page).first()).toHaveAttribute('aria-setsize', '1');
  await page.reload();
  await expectTexts(page, ['Я иду!']);
});

test('older pages come below, and Back and a reload find the same place', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
  await fill(page, ownWall, 44);
  await watchShift(page);
  await openNotifications(page, ownWall);
  await expect(articles(page)).toHaveCount(10);
  const before = await order(page);
  await scrollToPost(page, 40);
  await expectNoShiftInFeed(page);
  await page.evaluate(() => scrollBy(0, -555));
  await settled(page);
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

test('a new answer joins the first group from the pill, and nothing moves before that', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await watchShift(page);
  await readNotifications(page, ownWall);
  await reply('И я!');
  await expect(pill(page)).toHaveText(/Показать\sновые:\s1/);
  await expect(heads(page)).toHaveText([/^1\sновый\sответ/]);
  await expectNoShift(page);
  await pill(page).click();
  await expectTexts(page, ['И я!', 'Я иду!']);
  await expect(heads(page)).toHaveCount(1);
  await expect(articles(page).first()).toBeFocused();
});

test('the keyboard goes from answer to answer, headings from group to group', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
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
  await expectAccessible(page);
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
