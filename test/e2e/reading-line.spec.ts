import { openPage } from './support/app.ts';
import { addPosts, expectStored, line, passHour, postBelowLine, toLine } from './support/reading.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

test('after a break the line marks where a visitor stopped', async ({ page, ownWall }) => {
  await watchShift(page);
  const by = await ownWall.seed.person('galina_m');
  const ids = await addPosts(ownWall, by, 1, 30);
  await openPage(page, ownWall.url);
  await expectStored(page, 'feed', ids.get(30));
  await expect(line(page)).toHaveCount(0);
  await addPosts(ownWall, by, 31, 36);
  await passHour(page);
  await openPage(page, ownWall.url);
  await expect(line(page)).toHaveCount(1);
  expect(await postBelowLine(page)).toBe('Запись 30');
  await expect(toLine(page)).toHaveText('К месту, где остановились: 6');
  await page.screenshot({ path: 'test-results/line.png' });
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Запись 30');
  await expect(toLine(page)).toHaveCount(0);
  await expect(line(page)).toBeInViewport();
  await page.screenshot({ path: 'test-results/line2.png' });
  await expectNoShift(page);
});
