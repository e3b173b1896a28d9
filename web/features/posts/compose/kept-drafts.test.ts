import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askForCode,
  button,
  hasFocus,
  openSignIn,
  press,
  signedInPage,
  signInAs,
  signInDialog,
} from '../../../../test/kit/screen/account.ts';
import type { Screen } from '../../../../test/kit/screen/open-screen.ts';
import {
  card,
  cardOf,
  choose,
  decide,
  formClosed,
  inlineForm,
  openComposer,
  textField,
  toast,
  write,
} from '../../../../test/kit/screen/posts.ts';
import { openOn, openOwnPage, openSeeded } from '../../../../test/kit/screen/seeded.ts';

const drafts = (screen: Screen): string[] =>
  Object.keys({ ...screen.window.localStorage }).filter((key) => key.startsWith('draft:'));
const hasText = (screen: Screen, text: string) =>
  screen.until(async () => assert.equal((await textField(screen)).value, text));
async function leave(screen: Screen): Promise<void> {
  screen.press('Escape');
  await formClosed(screen);
}

test('a draft is stored per place, across reloads, until it is published', async () => {
  const page = await openOwnPage('/', { prepare: ({ seed, me }) => seed.posts([{ by: me, text: 'Моя запись' }]) });
  const places: Array<[string, (screen: Screen) => Promise<void>]> = [
    ['Новая', openComposer],
    ['Ответ', async (screen) => screen.click(cardOf(screen, 'Моя запись').getByRole('button', { name: 'Ответить' }))],
    ['Изменённая', (screen) => choose(screen, 'Моя запись', /Изменить/)],
  ];
  for (const [text, open] of places) {
    await open(page.screen);
    await write(page.screen, text);
    await leave(page.screen);
  }
  await using screen = await page.screen.reload();
  for (const [text, open] of places) {
    await open(screen);
    await hasText(screen, text);
    await leave(screen);
  }
  await openComposer(screen);
  await decide(screen, 'Опубликовать');
  await toast(screen, 'Опубликовано');
  await openComposer(screen);
  await hasText(screen, '');
  assert.equal(drafts(screen).length, 2);
  await page.wall.close();
});

test('signing out deletes all drafts', async () => {
  await using page = await openOwnPage('/');
  const { screen, person } = page;
  await openComposer(screen);
  await write(screen, 'Секрет');
  await leave(screen);
  assert.equal(drafts(screen).length, 1);
  await screen.click(screen.banner().getByRole('link', { name: person.name }));
  await press(screen, 'Выйти');
  await button(screen.banner(), 'Войти');
  assert.deepEqual(drafts(screen), []);
});

/** The page of a post as a visitor sees it. */
async function openAsVisitor() {
  const wall = await openSeeded();
  const [id] = await wall.seed.posts([{ by: await wall.person('galina_m'), text: 'Вопрос' }]);
  return openOn(wall, `/posts/${id}`, { asVisitor: true });
}

test('a visitor who wanted to write finds the composer open after signing in', async () => {
  await using page = await openAsVisitor();
  await openComposer(page.screen);
  await using screen = await signInAs(page.screen, page.wall, page.person.email);
  await screen.findByRole('dialog', { name: 'Новая запись' });
  await hasFocus(screen, await textField(screen));
});

test('a visitor who wanted to reply finds the reply open at the same position', async () => {
  await using page = await openAsVisitor();
  const path = page.screen.path();
  await page.screen.click(cardOf(page.screen, 'Вопрос').getByRole('button', { name: 'Ответить' }));
  await using screen = await signInAs(page.screen, page.wall, page.person.email);
  await hasFocus(screen, await textField(screen));
  assert.equal(screen.path(), path);
  assert.ok(inlineForm(screen)?.previousElementSibling === card(screen, 'Вопрос'));
});

test('a visitor who cancelled sign-in is not offered the composer again', async () => {
  await using page = await openAsVisitor();
  await openComposer(page.screen);
  await page.screen.until(() => signInDialog(page.screen));
  await leave(page.screen);
  assert.equal(page.screen.window.sessionStorage.getItem('intent'), null);
  await openSignIn(page.screen);
  await using screen = await signInAs(page.screen, page.wall, page.person.email);
  await screen.clock.advance(500);
  assert.ok(screen.queryByRole('dialog') === null);
});

test('a session that ends during writing: the text is there after signing in again', async () => {
  await using page = await openOwnPage('/', { settings: { CODE_RESEND_SECONDS: '0' } });
  const { wall, screen: first, person } = page;
  await openComposer(first);
  await write(first, 'Начато до');
  const closed = await wall.app.inject({
    method: 'DELETE',
    url: '/api/v1/sessions/current',
    cookies: Object.fromEntries(first.network.cookies),
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(closed.statusCode, 204);
  await decide(first, 'Опубликовать');
  await askForCode(first, person.email);
  await using screen = await signedInPage(wall, first, person.email);
  await screen.findByRole('dialog', { name: 'Новая запись' });
  await hasText(screen, 'Начато до');
  await decide(screen, 'Опубликовать');
  await screen.until(() => card(screen, 'Начато до'));
});
