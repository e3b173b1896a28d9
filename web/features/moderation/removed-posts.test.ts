import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasUnread } from '../../../test/kit/screen/notifications.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { callsOf, hasTexts } from '../../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';

const removed = (screen: Screen): string[] =>
  screen
    .queryAllByRole('region', { name: 'Убранное со стены' })
    .flatMap((region) => queriesIn(region).getAllByRole('listitem'))
    .map(textOf);
const hasRemoved = (screen: Screen, text: RegExp): Promise<void> =>
  screen.until(() => {
    assert.equal(removed(screen).length, 1);
    assert.match(removed(screen)[0]!, text);
  });

test('a removed post is visible only to its author, with the reason, until it is restored', async () => {
  await using wall = await openSeeded();
  const { seed, me: by } = wall;
  const posts = ['Останется', 'Выиграй миллион!'];
  const [, id] = await seed.posts(posts.map((text) => ({ by, text })));
  const [reply] = await seed.replies(id!, [{ by, text: 'Жми сюда' }]);
  await using stranger = await openScreen(wall, '/');
  await hasTexts(stranger, posts.toReversed());
  await wall.operator('remove', `${id}`, '--reason', 'Реклама в каждом ответе');
  await wall.operator('remove', `${reply}`, '--reason', 'Туда же');
  await hasTexts(stranger, ['Останется']);
  const missing = await stranger.reload(`/posts/${id}`);
  missing.main().getByRole('heading', { name: 'Запись не найдена' });

  const own = await openScreen(wall, '/own/posts', { as: by });
  await hasRemoved(own, /Выиграй миллион!.*Причина: Реклама в каждом ответе/);
  await hasTexts(own, ['Останется']);
  const replies = await own.reload('/own/replies');
  await hasRemoved(replies, /Жми сюда.*Причина: Туда же/);
  const post = await replies.reload(`/posts/${id}`);
  await hasRemoved(post, /Выиграй миллион!/);
  assert.doesNotMatch(textOf(post.getByRole('main')), /Запись не найдена/);

  await wall.operator('restore', `${id}`, '--reason', 'ошиблись');
  await using feed = await missing.reload('/');
  await hasTexts(feed, posts.toReversed());
  await using restored = await post.reload('/own/posts');
  await hasTexts(restored, posts.toReversed());
  assert.deepEqual(removed(restored), []);
});

test('the notifications begin with what was removed, with the reason and whom to write to, once as news', async () => {
  await using wall = await openSeeded();
  const { seed, me: by } = wall;
  const [id] = await seed.posts([{ by, text: 'Выиграй миллион!' }]);
  await wall.operator('remove', `${id}`, '--reason', 'Реклама в каждом ответе');
  const screen = await openScreen(wall, '/', { as: by });
  await hasUnread(screen, 1);
  const opened = await screen.reload('/notifications');
  await hasRemoved(opened, /Выиграй миллион!.*Причина: Реклама в каждом ответе/);
  assert.match(textOf(opened.getByRole('main')), /напишите тем, кто ведёт стену/);
  await opened.until(() => assert.equal(callsOf(opened, /^PUT .*notifications\/read$/).length, 1));
  await hasUnread(opened, 0);
  await using again = await opened.reload('/notifications');
  await hasRemoved(again, /Выиграй миллион!/);
  assert.equal(callsOf(again, /^PUT .*notifications\/read$/).length, 0);
});

test('a removal appears on the open page of notifications', async () => {
  await using wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: wall.me, text: 'Выиграй миллион!' }]);
  await using screen = await openScreen(wall, '/notifications', { as: wall.me });
  await screen.findByRole('heading', { name: 'Уведомлений пока нет' });
  await wall.operator('remove', `${id}`, '--reason', 'Реклама');
  await hasRemoved(screen, /Выиграй миллион!.*Причина: Реклама/);
  await hasUnread(screen, 0);
});
