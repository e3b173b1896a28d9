import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { cardOf, decide, dialogClosed, openSeeded, toast, write } from '../../../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

/** Replies to a post on a page and returns the link of the message. */
async function linkAfterReply(path: (id: number) => string): Promise<string> {
  await using wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: await wall.person('galina_m'), text: 'Кто знает пекарню?', age: 60 }]);
  await using screen = await openScreen(wall, path(id!), { as: wall.me });
  await screen.click(cardOf(screen, 'пекарню').getByRole('button', { name: 'Ответить' }));
  await write(screen, 'За углом');
  await decide(screen, 'Опубликовать');
  await dialogClosed(screen);
  const link = queriesIn(await toast(screen, 'Опубликовано')).queryByRole('link');
  if (path(id!) !== '/') await screen.until(() => assert.match(textOf(screen.getByRole('feed')), /За углом/));
  return textOf(link);
}

test('after a reply from the feed the message leads to it', async () => {
  assert.equal(await linkAfterReply(() => '/'), 'Смотреть');
});

test('after a reply on the page of its discussion, which shows it, the message has no link', async () => {
  assert.equal(await linkAfterReply((id) => `/posts/${id}`), '');
});
