import { expectAccessible } from '../support/accessible.ts';
import { hydrated, quiet } from '../support/app.ts';
import { branchButton } from '../support/discussion.ts';
import { bakeries, question, seedDiscussion } from '../../kit/sample-discussion.ts';
import { cardOf } from '../support/feed.ts';
import { takePictures } from '../support/gallery.ts';
import { expect, test } from '../support/test.ts';
import { choice, signInNewPerson, textField } from '../support/writing.ts';

test('a discussion of 30 replies', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await ownWall.seed.remove(ids.get('Цены выросли, кстати.')!);
  const open = async (text: string) => {
    await page.goto(`${ownWall.url}/posts/${ids.get(text)}`);
    await hydrated(page);
  };
  await open(question);
  await takePictures(page, 'discussion');
  await expectAccessible(page);
  await takePictures(page, 'discussion-deep', cardOf(page, 'И карты не принимают'));
  const folded = branchButton(cardOf(page, 'На углу Садовой'));
  await folded.click();
  await takePictures(page, 'discussion-folded', folded);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  await takePictures(page, 'discussion-oldest-first');
  await open('Спасибо, зайду завтра!');
  await takePictures(page, 'discussion-reply');
  await expectAccessible(page);
  await page.getByText('Ещё 2').click();
  await takePictures(page, 'discussion-reply-whole-way');
  await open(question);
  await page.waitForTimeout(1_500);
  const by = await ownWall.seed.person('newcomer');
  await ownWall.seed.replies(ids.get('Поддерживаю, 1.')!, [{ by, text: 'Новый ответ' }]);
  await expect(page.getByRole('button', { name: 'Новые ответы: 1' })).toBeVisible();
  await takePictures(page, 'discussion-new-replies');
});

test('a reply in a discussion', async ({ page, ownWall }) => {
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

test('a discussion that is loading or has failed', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/500/);
  await seedDiscussion(ownWall, question, bakeries);
  await page.goto(ownWall.url);
  await hydrated(page);
  await quiet(page);
  await page.route('**/thread?*', () => {});
  await cardOf(page, question).locator('time[title]').click();
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await takePictures(page, 'discussion-loading');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(ownWall.url);
  await hydrated(page);
  await page.route('**/thread?*', (route) => route.fulfill({ status: 500, json: {} }));
  await cardOf(page, question).locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await takePictures(page, 'discussion-failed');
});
