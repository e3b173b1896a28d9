import { expectAccessible } from '../support/accessible.ts';
import { openPage } from '../support/app.ts';
import { bakeries, question, seedDiscussion } from '../../kit/sample-discussion.ts';
import { takePictures } from '../support/gallery.ts';
import { comeBack, expectStored, line, toLine } from '../support/reading.ts';
import { expect, test } from '../support/test.ts';

test('the feed after a break', async ({ page, ownWall }) => {
  const { by } = await comeBack(page, ownWall, 40, 83);
  await expect(toLine(page)).toBeVisible();
  await takePictures(page, 'coming-back');
  await expectAccessible(page);
  await ownWall.seed.posts([{ by, text: 'Только что' }]);
  await expect(page.getByRole('button', { name: /^Показать\sновые/ })).toBeVisible();
  await takePictures(page, 'coming-back-and-new-posts');
  await expectAccessible(page);
  await page.keyboard.press('u');
  await expect(page.locator('article:focus')).toContainText('Запись 40');
  await expect(line(page)).toBeInViewport();
  await page.waitForTimeout(1_000);
  await page.evaluate(() => scrollBy(0, -200));
  await takePictures(page, 'coming-back-line');
  await expectAccessible(page);
});

test('going to the place is slow or fails', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/500/);
  await page.route('**/api/v1/posts?at=*', (route) => route.fulfill({ status: 500, json: {} }));
  await comeBack(page, ownWall, 40, 83);
  await toLine(page).click();
  const again = page.getByRole('button', { name: /^Не\sудалось\. Повторить$/ });
  await expect(again).toBeFocused();
  await takePictures(page, 'coming-back-failed');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await again.click();
  await expect(line(page)).toHaveCount(1);
  await page.route('**/api/v1/posts?before=*', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, 0));
    await expect(again).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await takePictures(page, 'coming-back-upward-failed');
  await again.click();
  await expect(page.locator('article[aria-posinset="33"]')).toHaveCount(1);
});

test('a discussion with replies since the last visit', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  const newest = Math.max(...ids.values());
  await openPage(page, `${ownWall.url}/posts/${newest}`);
  await expectStored(page, `thread:${ids.get(question)}`, newest);
  const by = await ownWall.seed.person('newcomer');
  await ownWall.seed.replies(ids.get('Поддерживаю, 2.')!, [{ by, text: 'Только не по утрам.' }]);
  await openPage(page, `${ownWall.url}/posts/${ids.get(question)}`);
  const next = page.getByRole('button', { name: /^К\sследующему\sновому/ });
  await expect(next).toBeVisible();
  await takePictures(page, 'coming-back-discussion');
  await expectAccessible(page);
  await next.click();
  await takePictures(page, 'coming-back-next-reply');
});
