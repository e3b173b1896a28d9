import { hydrated } from '../support/app.ts';
import { bakeries, branchButton, question, seedDiscussion } from '../support/discussion.ts';
import { cardOf } from '../support/feed.ts';
import { takePictures } from '../support/gallery.ts';
import { test } from '../support/test.ts';

test('a discussion of 30 replies', async ({ page, ownWall }) => {
  const ids = await seedDiscussion(ownWall, question, bakeries);
  await ownWall.seed.remove(ids.get('Цены выросли, кстати.')!);
  const open = async (text: string) => {
    await page.goto(`${ownWall.url}/posts/${ids.get(text)}`);
    await hydrated(page);
  };
  await open(question);
  await takePictures(page, 'discussion');
  await takePictures(page, 'discussion-deep', cardOf(page, 'И карты не принимают'));
  const folded = branchButton(cardOf(page, 'На углу Садовой'));
  await folded.click();
  await takePictures(page, 'discussion-folded', folded);
  await page.getByRole('button', { name: 'Сначала старые' }).click();
  await takePictures(page, 'discussion-oldest-first');
  await open('Спасибо, зайду завтра!');
  await takePictures(page, 'discussion-reply');
  await page.getByText('Ещё 2').click();
  await takePictures(page, 'discussion-reply-whole-way');
});
