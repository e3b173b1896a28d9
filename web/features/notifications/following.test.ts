import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askForCode, enterCode, signInAs } from '../../../test/kit/screen/account.ts';
import { callsOf, choose, openMenu, scrollUntil, toast } from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';

const text = 'Кто идёт на каток?';
const follow = 'Следить за обсуждением';
const names = /^(Следить за обсуждением|Не следить)$/;

/** A wall with a post of another person. */
async function openRink() {
  const wall = await openSeeded();
  const boris = await wall.seed.person('boris_petrov');
  const [postId] = await wall.seed.posts([{ by: boris, text }]);
  return { ...wall, boris, postId: postId! };
}

/** Opens the menu of a post and waits until it says whether the person follows. */
async function saysInMenu(screen: Screen, post: string, name: string): Promise<HTMLElement> {
  await openMenu(screen, post);
  return screen.until(() => {
    const item = screen.getByRole('menuitem', { name: names });
    assert.deepEqual([textOf(item), item.getAttribute('aria-disabled')], [name, null]);
    return item;
  });
}

test('the menu follows a discussion, and stops following it', async () => {
  await using wall = await openRink();
  const first = await openScreen(wall, '/', { as: wall.me });
  const item = await saysInMenu(first, text, follow);
  assert.deepEqual(first.getAllByRole('menuitem').map(textOf), [
    'Скопировать ссылку',
    'Сохранить',
    follow,
    'Не показывать автора',
    'Пожаловаться',
  ]);
  await first.click(item);
  await first.until(() => assert.ok(first.queryByRole('menu') === null));
  await toast(first, 'Вы следите за обсуждением');
  await using screen = await first.reload();
  (await saysInMenu(screen, text, 'Не следить')).focus();
  screen.press('Enter');
  await toast(screen, 'Вы больше не следите за обсуждением');
  await saysInMenu(screen, text, follow);
});

test('any reply of the discussion has the same state, and an author follows their own', async () => {
  await using wall = await openRink();
  const { seed, me: by, postId } = wall;
  await seed.replies(postId, [{ by, text: 'Я иду!' }]);
  const [own] = await seed.posts([{ by, text: 'А кто на лыжах?' }]);
  await using discussion = await openScreen(wall, `/posts/${postId}`, { as: by });
  // Replying follows.
  await discussion.click(await saysInMenu(discussion, 'Я иду!', 'Не следить'));
  await saysInMenu(discussion, text, follow);
  await using ownPage = await openScreen(wall, `/posts/${own}`, { as: by });
  await saysInMenu(ownPage, 'А кто на лыжах?', 'Не следить');
});

test('until the server has responded the item does nothing', async () => {
  await using wall = await openRink();
  await wall.seed.follow(wall.postId, wall.me);
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const response = Promise.withResolvers<void>();
  screen.network.intercept(/follow$/, ({ forward }) => response.promise.then(forward));
  await openMenu(screen, text);
  const item = await screen.findByRole('menuitem', { name: names });
  assert.equal(item.getAttribute('aria-disabled'), 'true');
  await screen.click(item);
  screen.getByRole('menu');
  response.resolve();
  await screen.until(() => assert.deepEqual([textOf(item), item.getAttribute('aria-disabled')], ['Не следить', null]));
  assert.deepEqual(callsOf(screen, /^DELETE .*follow$/), []);
});

test('a failure is reported and leaves the discussion as it was', async () => {
  await using wall = await openRink();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  screen.network.intercept(/^PUT .*follow$/, () => Response.json({}, { status: 503 }));
  await screen.click(await saysInMenu(screen, text, follow));
  await toast(screen, /Попробуйте|ошибк/i);
  screen.network.intercept(/^GET .*follow$/, () => new Promise(() => {}));
  // Known from before: the server has not responded again.
  await saysInMenu(screen, text, follow);
});

test('a visitor signs in and then follows the discussion', async () => {
  await using wall = await openRink();
  const visitor = await openScreen(wall, '/');
  await choose(visitor, text, follow);
  assert.deepEqual(callsOf(visitor, /^GET .*follow$/), []);
  await using screen = await signInAs(visitor, wall, wall.anna.email);
  await toast(screen, 'Вы следите за обсуждением');
  assert.equal(callsOf(screen, /^PUT .*follow$/).length, 1);
  await saysInMenu(screen, text, 'Не следить');
});

test('a visitor may follow a discussion further down than the first page', async () => {
  await using wall = await openRink();
  await wall.seed.posts(Array.from({ length: 25 }, (_, i) => ({ by: wall.boris, text: `Запись ${i}` })));
  const visitor = await openScreen(wall, '/');
  await scrollUntil(visitor, 26);
  await choose(visitor, text, follow);
  await askForCode(visitor, wall.anna.email);
  await enterCode(visitor, await wall.mail.codeTo(wall.anna.email));
  await visitor.until(() => assert.equal(visitor.loads.length, 1));
  // The list is not loaded down to the post when the session is known.
  await using screen = await visitor.reload(visitor.loads[0], ({ network }) => {
    network.intercept(/posts\?/, () => new Promise(() => {}));
  });
  await toast(screen, 'Вы следите за обсуждением');
});
