import type { Page } from '@playwright/test';
import { bakeries, question, seedDiscussion } from '../kit/sample-discussion.ts';
import { openPage, quiet, reloadPage } from './support/app.ts';
import { holdBack } from './support/code-files.ts';
import { branchButton, openDiscussion, outline } from './support/discussion.ts';
import { articles, cardOf, layoutIsStable, scrollToPost, sight } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf } from './support/writing.ts';

test('the page of a reply shows the way to it', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await watchShift(page);
  await openPage(page, `${ownWall.url}/posts/${ids.get('Спасибо, зайду завтра!')}`);
  const chain = page.getByRole('group', { name: 'Начало обсуждения' });
  await expect(chain.getByRole('link')).toHaveText([/Кто знает хорошую/, /Есть, но до обеда/]);
  await expect(page.getByRole('article').first()).toBeInViewport({ ratio: 1 });
  await expectNoShift(page);
  await chain.getByText('Ещё 2').click();
  await expect(chain.getByRole('link')).toHaveText([/Кто знает/, /На углу/, /ржаной/, /до обеда/]);
  await expect(chain.getByText('Ещё 2')).toBeHidden();
  await chain.getByText('Свернуть').click();
  await expect(chain.getByText('Ещё 2')).toBeVisible();
  await expect(articles(page)).toHaveCount(2);
});

test('the order of direct replies is remembered', async ({ page, ownWall }) => {
  await openDiscussion(page, ownWall, [
    { text: 'Первый', below: [{ text: 'Под ним' }, { text: 'Рядом' }] },
    { text: 'Второй' },
  ]);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  const oldest = ['Первый', '.Под ним', '.Рядом', 'Второй'];
  await expect.poll(() => outline(page)).toEqual(oldest);
  await watchShift(page);
  await reloadPage(page);
  await expect.poll(() => outline(page)).toEqual(oldest);
  await expect(page.getByRole('button', { name: 'Сначала старые' })).toHaveAttribute('aria-pressed', 'true');
  await expectNoShift(page);
  await openPage(page, ownWall.url);
  await cardOf(page, question).locator('time[title]').click();
  await expect.poll(() => outline(page)).toEqual(oldest);
});

test('a branch folds and unfolds, and nothing moves or stays empty', async ({ page, ownWall }) => {
  await openDiscussion(page, ownWall);
  await quiet(page);
  const card = cardOf(page, 'На углу Садовой');
  const fold = branchButton(card);
  const top = async () => (await card.boundingBox())!.y;
  const toEnd = () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(fold).toHaveText('скрыть 9 ответов');
  await toEnd();
  await fold.scrollIntoViewIfNeeded();
  const before = await top();
  await fold.focus();
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'А ржаной есть?')).toHaveCount(0);
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect.poll(top).toBeCloseTo(before, 0);
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'А ржаной есть?')).toHaveCount(1);
  await expect.poll(top).toBeCloseTo(before, 0);

  await test.step('F folds the branch that a reply without a control is in', async () => {
    await cardOf(page, 'Есть, но до обеда.').focus();
    await page.keyboard.press('f');
    await expect(cardOf(page, 'Есть, но до обеда.')).toHaveCount(0);
    await expect(cardOf(page, 'А ржаной есть?')).toBeFocused();
  });

  await test.step('a branch folded at the end of the page leaves no empty place behind', async () => {
    await reloadPage(page);
    const gap = async (): Promise<number> => {
      const end = await page.evaluate(() => document.querySelector('main')!.getBoundingClientRect().bottom);
      const { y, height } = (await articles(page).last().boundingBox())!;
      return end - y - height;
    };
    await toEnd();
    await layoutIsStable(page);
    const before = await gap();
    await fold.scrollIntoViewIfNeeded();
    await fold.press('Enter');
    await expect(cardOf(page, 'А ржаной есть?')).toHaveCount(0);
    await expect.poll(gap).toBeGreaterThan(before + 50);
    const y = await top();
    await page.mouse.wheel(0, -100);
    await expect.poll(top).toBeCloseTo(y + 100, 0);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(gap).toBeCloseTo(before, 0);
  });
});

test('a long branch continues on request, and a reload restores the place in it', async ({ page, ownWall }) => {
  const below = Array.from({ length: 120 }, (_, index) => ({ text: `Довод ${index + 1}` }));
  await openDiscussion(page, ownWall, [{ text: 'Первый', below }, { text: 'Второй' }]);
  await quiet(page);
  await page.keyboard.press('End');
  const more = page.getByRole('link', { name: /^Показать ещё/ });
  await expect(more).toHaveText('Показать ещё 100');
  await more.scrollIntoViewIfNeeded();
  await layoutIsStable(page);
  const { y } = (await more.boundingBox())!;
  await more.click();
  await expect(cardOf(page, 'Довод 21')).toBeFocused();
  await expect.poll(async () => (await cardOf(page, 'Довод 21').boundingBox())!.y).toBeCloseTo(y, -1);
  await scrollToPost(page, 60);
  const before = await sight(page);
  await reloadPage(page);
  await expect.poll(() => sight(page)).toEqual(before);
});

test('the last reply is shown at the end though only its row was missing', async ({ page, ownWall }) => {
  const replies = Array.from({ length: 45 }, (_, index) => ({
    text: index === 0 ? 'Самый первый' : `Ответ №${index}.`,
  }));
  await openDiscussion(page, ownWall, replies);
  const last = cardOf(page, 'Самый первый');
  // The heights of the rows become known when they are shown.
  await expect(async () => {
    await page.evaluate(() => scrollBy({ top: innerHeight, behavior: 'instant' }));
    await expect(last).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [50] });

  // Rows as far as a window below the screen are in the document: here all but the last one. How far that is depends on the
  // heights that have been measured.
  let beyond = 60;
  await expect(async () => {
    // A slow attempt may have missed the place.
    beyond = beyond < 400 ? beyond + 20 : 80;
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expect(last).toHaveCount(0);
    await layoutIsStable(page);
    await page.evaluate((distance) => {
      const end = document.querySelector('[role=feed]')!.getBoundingClientRect().bottom;
      scrollBy({ top: end - 2 * innerHeight - distance, behavior: 'instant' });
    }, beyond);
    await expect(cardOf(page, 'Ответ №1.')).toHaveCount(1, { timeout: 500 });
    await expect(last).toHaveCount(0, { timeout: 500 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press('End');
  await expect(last).toBeInViewport();
});

const pill = (page: Page) => page.getByRole('button', { name: /^Новые ответы/ });

test('replies written elsewhere take their places and nothing on the screen moves', async ({ page, ownWall }) => {
  await watchShift(page);
  const ids = await openDiscussion(page, ownWall);
  await quiet(page);
  const { seed } = ownWall;
  const by = await seed.person('newcomer');
  const reply = (to: string, text: string) => seed.replies(ids.get(to)!, [{ by, text }]);
  await page.mouse.wheel(0, 1_500);
  await layoutIsStable(page);
  const read = cardOf(page, 'Подтверждаю, беру там');
  await read.scrollIntoViewIfNeeded();
  await layoutIsStable(page);
  const before = await read.boundingBox();

  await reply(question, 'Сверху');
  await reply('Поддерживаю, 7.', 'Выше экрана');
  await reply('А ржаной есть?', 'На экране');
  await expect(pill(page)).toHaveText('Новые ответы: 3');
  await expect(pill(page)).toBeInViewport({ ratio: 1 });
  await layoutIsStable(page);
  await expect.poll(async () => (await read.boundingBox())!.y).toBeCloseTo(before!.y, 0);
  await expectNoShift(page);
  await page.evaluate(() => scrollTo(0, 0));
  await layoutIsStable(page);
  await expect
    .poll(async () => (await outline(page)).slice(0, 4))
    .toEqual(['Сверху', 'Поддерживаю, 7.', '.И я, 7.', '.Выше экрана']);
  await expect(cardOf(page, 'Выше экрана')).toHaveAccessibleName(/^Новый ответ newcomer/);
  await reply('И карты не принимают.', 'Глубоко внизу');
  // Each click leads to the next new reply, and two of the earlier replies that were not on the screen come before this one.
  await expect(async () => {
    await pill(page).click({ timeout: 5_000 });
    await expect(cardOf(page, 'Глубоко внизу')).toBeFocused({ timeout: 500 });
  }).toPass();
  await expect(cardOf(page, 'Глубоко внизу')).toBeInViewport({ ratio: 1 });
});

test('a deleted reply leaves a place for its replies; many new ones are few requests', async ({ page, ownWall }) => {
  const { seed } = ownWall;
  const [me, by, loud] = [await newPerson(ownWall), await seed.person('newcomer'), await seed.person('loud_one')];
  await seed.mute(me.id, loud);
  await restoreSession(page, ownWall, me);
  const ids = await openDiscussion(page, ownWall);
  await quiet(page);
  await seed.remove(ids.get('Поддерживаю, 7.')!);
  await expect.poll(async () => (await outline(page)).slice(0, 2)).toEqual(['Запись удалена', '.И я, 7.']);
  await seed.remove(ids.get('И я, 7.')!);
  await expect.poll(async () => (await outline(page))[0]).toBe('Поддерживаю, 6.');

  const asked = callsOf(page, 'GET', /\/thread$/);
  const held = await holdBack(page, '**/thread?*');
  const reply = (who: number, text: string) => seed.replies(ids.get('И карты не принимают.')!, [{ by: who, text }]);
  const counter = page.getByRole('article').first().getByRole('button', { name: 'Ответить' });
  const known = Number(/\d+/.exec((await counter.textContent())!)![0]);
  await reply(by, 'Новый 1');
  await expect.poll(() => asked.length).toBe(1);
  for (let number = 2; number <= 20; number += 1) await reply(by, `Новый ${number}`);
  await reply(loud, 'Не слышно');
  await expect(counter).toContainText(`${known + 21}`);
  held.resolve();
  // Without the muted author’s.
  await expect(pill(page)).toHaveText('Новые ответы: 20');
  await expect(page.getByRole('status').filter({ hasText: /^Новые ответы: / })).toHaveCount(1);
  expect(asked.length).toBeLessThanOrEqual(3);
});
