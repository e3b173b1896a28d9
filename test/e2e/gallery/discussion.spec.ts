import { bakeries, question, seedDiscussion } from '../../kit/sample-discussion.ts';
import { hydrated, openPage, quiet } from '../support/app.ts';
import { branchButton } from '../support/discussion.ts';
import { cardOf, layoutIsStable } from '../support/feed.ts';
import { onlyPictures, takeAccessible, takePictures } from '../support/gallery.ts';
import { comeBack, expectStored, line, toLine } from '../support/reading.ts';
import { expect, test } from '../support/test.ts';
import { choice, signInNewPerson, textField } from '../support/writing.ts';

test('a discussion of 30 replies', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await ownWall.seed.remove(ids.get('Цены выросли, кстати.')!);
  const open = (text: string) => openPage(page, `${ownWall.url}/posts/${ids.get(text)}`);
  await open(question);
  await takeAccessible(page, 'discussion');
  await takePictures(page, 'discussion-deep', cardOf(page, 'И карты не принимают'));
  const folded = branchButton(cardOf(page, 'На углу Садовой'));
  await folded.click();
  await takePictures(page, 'discussion-folded', folded);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  await takePictures(page, 'discussion-oldest-first');
  await open('Спасибо, зайду завтра!');
  await takeAccessible(page, 'discussion-reply');
  await page.getByText('Ещё 2').click();
  await takePictures(page, 'discussion-reply-whole-way');
  await open(question);
  await quiet(page);
  const by = await ownWall.seed.person('newcomer');
  await ownWall.seed.replies(ids.get('Поддерживаю, 1.')!, [{ by, text: 'Новый ответ' }]);
  await takePictures(page, 'discussion-new-replies', page.getByRole('button', { name: 'Новые ответы: 1' }));
});

test('a reply in a discussion', onlyPictures, async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await signInNewPerson(page, ownWall, `/posts/${ids.get(question)}`);
  await hydrated(page);
  const answered = cardOf(page, 'Спасибо, зайду завтра!').first();
  await answered.getByRole('button', { name: 'Ответить' }).click();
  await textField(page).fill('> зайду завтра\nИ я зайду. Во сколько?\n> выходной\nЖаль.');
  await takePictures(page, 'discussion-writing', textField(page));
  await choice(page, 'Опубликовать').click();
  await expect(cardOf(page, 'Во сколько?')).toBeFocused();
  await takePictures(page, 'discussion-own-reply', answered);
});

test('a discussion that is loading or has failed', onlyPictures, async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/500/);
  await seedDiscussion(ownWall, question, bakeries);
  await openPage(page, ownWall.url);
  await quiet(page);
  await page.route('**/thread?*', () => {});
  await cardOf(page, question).locator('time[title]').click();
  await takePictures(page, 'discussion-loading', page.locator('main [aria-busy=true]'));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await openPage(page, ownWall.url);
  await page.route('**/thread?*', (route) => route.fulfill({ status: 500, json: {} }));
  await cardOf(page, question).locator('time[title]').click();
  await takePictures(page, 'discussion-failed', page.getByRole('heading', { name: 'Не удалось загрузить' }));
});

test('the feed after a break', async ({ page, ownWall }) => {
  const { by } = await comeBack(page, ownWall, 40, 83);
  await takeAccessible(page, 'coming-back', toLine(page));
  await ownWall.seed.posts([{ by, text: 'Только что' }]);
  await takeAccessible(page, 'coming-back-and-new-posts', page.getByRole('button', { name: /^Показать новые/ }));
  await page.keyboard.press('u');
  await expect(page.locator('article:focus')).toContainText('Запись 40');
  await expect(line(page)).toBeInViewport();
  await layoutIsStable(page);
  await page.evaluate(() => scrollBy(0, -200));
  await takeAccessible(page, 'coming-back-line');
});

test('going to the place is slow or fails', onlyPictures, async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/500/);
  await page.route('**/api/v1/posts?at=*', (route) => route.fulfill({ status: 500, json: {} }));
  await comeBack(page, ownWall, 40, 83);
  await toLine(page).click();
  const again = page.getByRole('button', { name: /^Не удалось\. Повторить$/ });
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
  const next = page.getByRole('button', { name: /^К следующему новому/ });
  await takeAccessible(page, 'coming-back-discussion', next);
  await next.click();
  await takePictures(page, 'coming-back-next-reply');
});
