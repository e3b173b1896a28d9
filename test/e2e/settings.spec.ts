import { readFile } from 'node:fs/promises';
import { mainButton, openAs, paths } from './support/account.ts';
import { expect, test } from './support/test.ts';

test('the export of the person’s data is downloaded as a file', async ({ page, ownWall }) => {
  const { id, name, email } = await openAs(page, ownWall, paths.settings);
  const [post] = await ownWall.seed.posts([{ by: id, text: 'Моя запись' }]);
  await ownWall.seed.replies(post!, [{ by: id, text: 'Мой ответ' }]);
  await ownWall.seed.like(post!, id);
  const download = page.waitForEvent('download');
  await mainButton(page, 'Скачать мои данные').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`stena-${name}.json`);
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
    account: { username: name, email },
    posts: [{ id: String(post), text: 'Моя запись' }],
    replies: [{ text: 'Мой ответ', replied_post_id: String(post) }],
    likes: [{ post_id: String(post) }],
  });
});
