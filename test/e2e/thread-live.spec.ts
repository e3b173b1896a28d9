import type { Page } from '@playwright/test';
import { hydrated } from './support/app.ts';
import { outline } from './support/discussion.ts';
import { bakeries, question, seedDiscussion } from '../kit/sample-discussion.ts';
import { cardOf, layoutIsStable } from './support/feed.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, signInNewPerson, textField } from './support/writing.ts';

const pill = (page: Page) => page.getByRole('button', { name: /^Новые ответы/ });

async function openDiscussion(page: Page, wall: Wall): Promise<Map<string, number>> {
  const ids = await seedDiscussion(wall, question, bakeries);
  await page.goto(`${wall.url}/posts/${ids.get(question)}`);
  await hydrated(page);
  // The event stream opens.
  await page.waitForTimeout(1_500);
  return ids;
}

test('replies written elsewhere take their places and nothing on the screen moves', async ({ page, ownWall }) => {
  await watchShift(page);
  const ids = await openDiscussion(page, ownWall);
  const by = await ownWall.seed.person('newcomer');
  await page.mouse.wheel(0, 1_500);
  await layoutIsStable(page);
  const read = cardOf(page, 'Подтверждаю, беру там');
  await read.scrollIntoViewIfNeeded();
  await layoutIsStable(page);
  const before = await read.boundingBox();

  const { seed } = ownWall;
  await seed.replies(ids.get(question)!, [{ by, text: 'Сверху' }]);
  await seed.replies(ids.get('Поддерживаю, 7.')!, [{ by, text: 'Выше экрана' }]);
  await seed.replies(ids.get('А ржаной есть?')!, [{ by, text: 'На экране' }]);
  await expect(pill(page)).toHaveText('Новые ответы: 3');
  await expect(pill(page)).toBeInViewport({ ratio: 1 });
  await page.waitForTimeout(500);
  expect((await read.boundingBox())!.y).toBeCloseTo(before!.y, 0);
  await expectNoShift(page);
  await page.evaluate(() => scrollTo(0, 0));
  await layoutIsStable(page);
  expect((await outline(page)).slice(0, 4)).toEqual(['Сверху', 'Поддерживаю, 7.', '.И я, 7.', '.Выше экрана']);
  await expect(cardOf(page, 'Выше экрана')).toHaveAccessibleName(/^Новый ответ newcomer/);
  await seed.replies(ids.get('И карты не принимают.')!, [{ by, text: 'Глубоко внизу' }]);
  // The replies of the three that were not on the screen come first.
  await expect(async () => {
    await pill(page).click({ timeout: 5_000 });
    await expect(cardOf(page, 'Глубоко внизу')).toBeFocused({ timeout: 500 });
  }).toPass();
  await expect(cardOf(page, 'Глубоко внизу')).toBeInViewport({ ratio: 1 });
});

test('one’s own reply appears below what it answers and has the focus', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await signInNewPerson(page, ownWall);
  await page.goto(`${ownWall.url}/posts/${ids.get(question)}`);
  await hydrated(page);
  await page.waitForTimeout(1_000);
  await cardOf(page, 'А ржаной есть?').getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('И мне интересно.');
  await choice(page, 'Опубликовать').click();
  const own = cardOf(page, 'И мне интересно.');
  await expect(own).toBeFocused();
  await page.waitForTimeout(500);
  await expect(own).toBeInViewport({ ratio: 1 });
  const shown = await outline(page);
  expect(shown.indexOf('..И мне интересно.')).toBe(shown.indexOf('.А ржаной есть?') + 1);
  await page.waitForTimeout(2_000);
  await expect(pill(page)).toHaveCount(0);

  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('article').first().getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('Вопрос всем.');
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Вопрос всем.')).toBeFocused();
  await expect.poll(async () => (await outline(page))[0]).toBe('Вопрос всем.');
});
