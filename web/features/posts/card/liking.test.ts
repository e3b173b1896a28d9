import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAs } from '../../../../test/kit/screen/account.ts';
import { callsOf, cardOf, openPost, toast } from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

const likes = /^(POST|DELETE) .*\/posts\/\d+\/likes$/;
const text = 'Сегодня первый снег';

/** A post that four people like. */
async function snow() {
  const wall = await openSeeded();
  const id = await wall.post(await wall.person('galina_m'), text);
  for (let number = 1; number <= 4; number += 1) await wall.seed.like(id, await wall.person(`liker_${number}`));
  return { ...wall, id };
}

const heart = (screen: Screen) => cardOf(screen, text).getByRole('button', { name: /^Нравится/ });

const shows = (screen: Screen, isLiked: boolean, count: number): Promise<void> =>
  screen.until(() => {
    const button = heart(screen);
    assert.deepEqual([button.getAttribute('aria-pressed'), textOf(button)], [`${isLiked}`, `Нравится${count}`]);
  });

test('a like appears everywhere and can be taken back', async () => {
  await using wall = await snow();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await screen.click(heart(screen));
  await shows(screen, true, 5);
  await openPost(screen, text);
  await shows(screen, true, 5);
  await screen.click(heart(screen));
  await shows(screen, false, 4);
  await screen.click(await screen.findByRole('button', { name: 'Назад' }));
  await screen.until(() => assert.equal(screen.path(), '/'));
  await shows(screen, false, 4);
});

test('rapid taps end in the last state, one request at a time', async () => {
  await using wall = await snow();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const tapped = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  screen.network.intercept(likes, async ({ forward }) => {
    most = Math.max(most, (underWay += 1));
    await tapped.promise;
    const response = await forward();
    underWay -= 1;
    return response;
  });
  for (let tap = 0; tap < 7; tap += 1) await screen.click(heart(screen));
  tapped.resolve();
  const storedLikes = async () => (await wall.get('/api/v1/posts')).json.posts[0].actions.likes_count;
  await screen.until(async () => assert.deepEqual([underWay, await storedLikes()], [0, 5]));
  await shows(screen, true, 5);
  assert.equal(most, 1);
});

test('two taps before it is known who is signed in are one like', async () => {
  await using wall = await snow();
  const known = Promise.withResolvers<void>();
  await using screen = await openScreen(wall, '/', {
    as: wall.me,
    prepare: ({ network }) =>
      void network.intercept(/sessions\/current$/, ({ forward }) => known.promise.then(forward)),
  });
  await screen.click(heart(screen));
  await screen.click(heart(screen));
  known.resolve();
  await shows(screen, true, 5);
  await screen.until(() => assert.equal(callsOf(screen, likes).length, 1));
  await screen.until(async () => assert.equal((await wall.get('/api/v1/posts')).json.posts[0].actions.likes_count, 5));
});

test('shows the like before the response and reverts it when the server refuses', async () => {
  await using wall = await snow();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const refused = Promise.withResolvers<Response>();
  screen.network.intercept(likes, () => refused.promise);
  await screen.click(heart(screen));
  await shows(screen, true, 5);
  refused.resolve(
    Response.json(
      { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' },
      { status: 429, headers: { 'retry-after': '40' } },
    ),
  );
  await toast(screen, 'Слишком много запросов. Повторить можно через 40 сек.');
  await shows(screen, false, 4);
});

test('liking a deleted post removes its card', async () => {
  await using wall = await snow();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  // Nothing is deleted here: the event about it would remove the card, too.
  screen.network.intercept(likes, () => Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 }));
  await screen.click(heart(screen));
  await toast(screen, 'Сообщение не найдено');
  await screen.until(() => assert.ok(screen.queryByText(text) === null));
});

test('signing in from the like button returns to the post without liking it', async () => {
  await using wall = await snow();
  await wall.seed.person('reader_of_snow');
  await using screen = await openScreen(wall, `/posts/${wall.id}`);
  await screen.click(heart(screen));
  await using signedIn = await signInAs(screen, wall, 'reader_of_snow@example.org');
  await shows(signedIn, false, 4);
  assert.equal(signedIn.path(), `/posts/${wall.id}`);
  await signedIn.until(() => assert.equal(signedIn.window.sessionStorage.getItem('intent'), null));
  for (const each of [screen, signedIn]) assert.deepEqual(callsOf(each, likes), []);
});
