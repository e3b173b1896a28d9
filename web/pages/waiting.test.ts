import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../test/kit/screen/open-screen.ts';
import { callsOf, decide, write } from '../../test/kit/screen/posts.ts';
import { openSeeded } from '../../test/kit/screen/seeded.ts';

test('the first post of a newcomer waits in both places until it gets a reply', async () => {
  await using wall = await openSeeded({ RATE_LIMITS: 'off' });
  await wall.seed.posts([{ by: await wall.seed.person('newcomer_a'), text: 'Всем привет, я новенькая' }]);
  for (const path of ['/', '/discussed']) {
    await using visitor = await openScreen(wall, path);
    assert.ok(visitor.queryByRole('heading', { name: 'Ждут ответа' }) === null);
  }
  await using screen = await openScreen(wall, '/discussed', { as: wall.me });
  await screen.until(() => assert.equal(screen.getAllByRole('heading', { name: 'Ждут ответа' }).length, 2));
  assert.equal(callsOf(screen, /posts\/waiting/).length, 1);
  await screen.click(screen.getAllByRole('link', { name: /newcomer_a Всем привет/ })[0]!);
  await screen.until(() => assert.match(screen.path(), /^\/posts\//));
  await screen.click(await screen.findByRole('button', { name: 'Ответить первым' }));
  await write(screen, 'Привет!');
  await decide(screen, 'Опубликовать');
  await screen.findByText('Привет!');
  await using again = await openScreen(wall, '/', { as: wall.me });
  await again.until(() => assert.ok(again.queryAllByRole('link', { name: /newcomer_a Всем/ }).length === 0));
});
