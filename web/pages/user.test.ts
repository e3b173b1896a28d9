import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from '../../test/kit/screen/open-screen.ts';
import { queriesIn } from '../../test/kit/screen/queries.ts';
import { cardOf, openSeeded, showsTexts, titleOf } from '../../test/kit/screen/views.ts';

test('the posts of a known author do not wait for the author', async () => {
  await using wall = await openSeeded();
  const by = await wall.seed.person('boris_k');
  await wall.seed.posts([{ by, text: 'Где пекарня?' }]);
  await using screen = await openScreen(wall, '/');
  const release = Promise.withResolvers<void>();
  screen.network.intercept(/\/users\/boris_k$/, async ({ forward }) => {
    await release.promise;
    return forward();
  });
  await screen.click(queriesIn(cardOf(screen, 'Где пекарня?')).getByRole('link', { name: 'boris_k' }));
  const isOfAuthor = (request: string) => request.includes(`userId=${by}`);
  await screen.until(() => assert.ok(screen.network.requests.some(isOfAuthor)));
  release.resolve();
  await screen.until(() => assert.equal(titleOf(screen), 'boris_k'));
  await showsTexts(screen, ['Где пекарня?']);
  assert.equal(screen.network.requests.filter(isOfAuthor).length, 1);
});

test('a known name that belongs to somebody else by now shows that person’s posts', async () => {
  await using wall = await openSeeded();
  const by = await wall.seed.person('boris_k');
  await wall.seed.posts([{ by, text: 'Где пекарня?' }]);
  const other = await wall.seed.person('galina_m');
  await using screen = await openScreen(wall, '/');
  await wall.seed.posts([{ by: other, text: 'Пекарня за углом' }]);
  screen.network.intercept(/\/users\/boris_k$/, () =>
    Response.json({ id: String(other), username: 'boris_k', created_at: 1_700_000_000 }),
  );
  await screen.click(queriesIn(cardOf(screen, 'Где пекарня?')).getByRole('link', { name: 'boris_k' }));
  await showsTexts(screen, ['Пекарня за углом']);
});
