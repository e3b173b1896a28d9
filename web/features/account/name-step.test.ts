import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { card, choice, decide, formClosed, openComposer, write } from '../../../test/kit/screen/posts.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';

/** A wall with a person who has not chosen a name, and the feed as that person sees it. */
async function openNewcomer(email = 'anya.petrova@example.org') {
  const wall = await openSeeded();
  const id = await wall.seed.person('user_ab12cd34', email);
  const screen = await openScreen(wall, '/', { as: id });
  return {
    wall,
    screen,
    id,
    async publish(text: string, on = screen) {
      await openComposer(on);
      await write(on, text);
      await decide(on, 'Опубликовать');
    },
    async [Symbol.asyncDispose]() {
      await screen.close();
      await wall.close();
    },
  };
}

const field = (screen: Screen, name: string): Promise<HTMLInputElement> =>
  screen.until(() => screen.dialog().getByRole<HTMLInputElement>('textbox', { name }));
const posts = ({ network }: Screen) => network.requests.filter((request) => /^POST .*\/posts$/.test(request)).length;

test('before the first post the names are asked for, then it is published and one stays where one was', async () => {
  await using page = await openNewcomer();
  const { screen } = page;
  await page.publish('Всем привет');
  const username = await field(screen, 'Имя пользователя');
  await screen.until(() => assert.equal(username.value, 'anya_petrova'));
  assert.equal(posts(screen), 0);
  const own = await field(screen, 'Имя');
  assert.ok(screen.focused() === own);
  screen.fill(own, 'Аня с Мира');
  await decide(screen, 'Сохранить и опубликовать');
  await formClosed(screen);
  await screen.until(() => card(screen, 'Всем привет'));
  assert.match(textOf(card(screen, 'Всем привет')), /^Аня с Мира @anya_petrova/);
  assert.equal(screen.path(), '/');
  // It is asked once.
  await page.publish('Ещё');
  await formClosed(screen);
  assert.equal(posts(screen), 2);
});

test('the question can be skipped, and is not asked again', async () => {
  await using page = await openNewcomer();
  await page.publish('Всем привет');
  await decide(page.screen, 'Пропустить');
  await formClosed(page.screen);
  await page.screen.until(() => card(page.screen, 'Всем привет'));
  await using screen = await page.screen.reload();
  await page.publish('Ещё', screen);
  await formClosed(screen);
  await screen.until(() => card(screen, 'Ещё'));
});

test('a username in other letters becomes the name, and Latin letters are asked for', async () => {
  await using page = await openNewcomer('anya@example.org');
  const { screen } = page;
  await page.publish('Всем привет');
  const username = await field(screen, 'Имя пользователя');
  assert.equal(username.value, 'user_ab12cd34');
  screen.fill(username, 'аня');
  await screen.until(() => assert.match(textOf(screen.getByRole('dialog')), /латинскими буквами/));
  assert.equal((await field(screen, 'Имя')).value, 'Аня');
  assert.ok((await choice(screen, 'Сохранить и опубликовать')).disabled);
  screen.fill(username, 'user_ab12cd34');
  await decide(screen, 'Сохранить и опубликовать');
  await formClosed(screen);
  assert.equal(posts(screen), 1);
});

test('a taken username is not offered', async () => {
  await using page = await openNewcomer();
  const { screen } = page;
  await page.wall.seed.person('anya_petrova');
  const refused = Promise.withResolvers<number>();
  screen.network.intercept(/anya_petrova\/validation$/, async ({ forward }) => {
    const response = await forward();
    refused.resolve(response.status);
    return response;
  });
  await page.publish('Всем привет');
  assert.equal(await refused.promise, 400);
  await screen.clock.advance(limits.usernameCheckMs);
  assert.equal((await field(screen, 'Имя пользователя')).value, 'user_ab12cd34');
});
