import { expectAccessible } from './support/accessible.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, signInNewPerson, toast } from './support/writing.ts';

test('the message about a deleted post with its button, and a text changed after a reply', async ({
  page,
  ownWall,
}) => {
  const { id: by } = await signInNewPerson(page, ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос', age: 60 }]);
  await ownWall.seed.replies(root!, [{ by, text: 'Чай на столе', age: 30 }]);
  await ownWall.seed.edit(root!, 'Другой вопрос');
  await page.goto(`${ownWall.url}/posts/${root}`);
  await expect(cardOf(page, 'Чай на столе')).toContainText(/изменено\sпосле/);
  await expectAccessible(page);
  await page.goto(`${ownWall.url}/own/replies`);
  await expect(cardOf(page, 'Чай на столе')).toContainText(/изменено\sпосле/);
  await choose(page, 'Чай на столе', 'Удалить');
  await choice(page, 'Удалить').click();
  await toast(page, 'Удалено').getByRole('button', { name: 'Вернуть' }).hover();
  await expectAccessible(page);
});
