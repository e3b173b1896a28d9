import { hydrated, openPage, reloadPage } from './support/app.ts';
import { branchButton, outline } from './support/discussion.ts';
import { bakeries, question, seedDiscussion } from '../kit/sample-discussion.ts';
import { articles, cardOf, layoutIsStable } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

const shallow = [
  { text: 'Первый', below: [{ text: 'Под первым', below: [{ text: 'Ещё глубже' }] }, { text: 'Рядом' }] },
  { text: 'Второй' },
];

test('the page of a reply shows the way to it', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await watchShift(page);
  await page.goto(`${ownWall.url}/posts/${ids.get('Спасибо, зайду завтра!')}`);
  await hydrated(page);
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
  const ids = await seedDiscussion(ownWall, 'Вопрос', shallow);
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  const oldest = ['Первый', '.Под первым', '..Ещё глубже', '.Рядом', 'Второй'];
  await expect.poll(() => outline(page)).toEqual(oldest);
  await watchShift(page);
  await page.reload();
  await expect.poll(() => outline(page)).toEqual(oldest);
  await expect(cardOf(page, 'Первый').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Сначала старые' })).toHaveAttribute('aria-pressed', 'true');
  await expectNoShift(page);
  await page.goto(ownWall.url);
  await hydrated(page);
  await cardOf(page, 'Вопрос').locator('time[title]').click();
  await expect.poll(() => outline(page)).toEqual(oldest);
});

test('a branch folds and unfolds, nothing above it moves, and nothing empty stays below it', async ({
  page,
  ownWall,
}) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await page.goto(`${ownWall.url}/posts/${ids.get(question)}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  const card = cardOf(page, 'На углу Садовой');
  const fold = branchButton(card);
  await expect(fold).toHaveText('свернуть 9');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await fold.scrollIntoViewIfNeeded();
  const before = await card.boundingBox();
  await fold.focus();
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'А ржаной есть?')).toHaveCount(0);
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  expect((await card.boundingBox())?.y).toBeCloseTo(before!.y, 0);
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'А ржаной есть?')).toHaveCount(1);
  expect((await card.boundingBox())?.y).toBeCloseTo(before!.y, 0);

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
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await layoutIsStable(page);
    const before = await gap();
    await fold.scrollIntoViewIfNeeded();
    await fold.focus();
    await page.keyboard.press('Enter');
    await expect(cardOf(page, 'А ржаной есть?')).toHaveCount(0);
    expect(await gap()).toBeGreaterThan(before + 50);
    const { y } = (await card.boundingBox())!;
    await page.mouse.wheel(0, -100);
    await expect.poll(async () => (await card.boundingBox())!.y).toBeCloseTo(y + 100, 0);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(gap).toBeCloseTo(before, 0);
  });
});

test('a long branch continues on request', async ({ page, ownWall }) => {
  const below = Array.from({ length: 70 }, (_, index) => ({ text: `Довод ${index + 1}` }));
  const ids = await seedDiscussion(ownWall, 'Вопрос', [{ text: 'Первый', below }, { text: 'Второй' }]);
  await page.goto(`${ownWall.url}/posts/${ids.get('Вопрос')}`);
  await hydrated(page);
  await page.waitForTimeout(500);
  await page.keyboard.press('End');
  const more = page.getByRole('link', { name: /^Показать ещё/ });
  await expect(more).toHaveText('Показать ещё 50');
  await more.scrollIntoViewIfNeeded();
  await layoutIsStable(page);
  const before = await more.boundingBox();
  await more.click();
  await expect(cardOf(page, 'Довод 21')).toBeFocused();
  expect((await cardOf(page, 'Довод 21').boundingBox())?.y).toBeCloseTo(before!.y, -1);
  await expect(more).toHaveCount(0);
  // The heights of the rows become known when they are shown.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(cardOf(page, 'Довод 70')).toBeInViewport({ timeout: 500 });
  }).toPass();
});

test('the last reply is shown at the end of the page even when only its row was missing from the document', async ({
  page,
  ownWall,
}) => {
  const replies = Array.from({ length: 45 }, (_, index) => ({
    text: index === 0 ? 'Самый первый' : `Ответ №${index}.`,
  }));
  const ids = await seedDiscussion(ownWall, 'Вопрос', replies);
  await openPage(page, `${ownWall.url}/posts/${ids.get('Вопрос')}`);
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
    beyond += 20;
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
