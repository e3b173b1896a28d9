import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askForCode,
  button,
  enterCode,
  hasFocus,
  openSignIn,
  press,
  shownName,
  signInDialog,
  signedInPage,
} from '../../../test/kit/screen/account.ts';
import {
  callsOf,
  card,
  cardOf,
  decide,
  formClosed,
  dialogShows,
  openComposer,
  publish,
  textField,
  write,
} from '../../../test/kit/screen/posts.ts';
import { openOwnPage, openSeeded } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { type Queries, queriesIn, textOf } from '../../../test/kit/screen/queries.ts';

const reason = 'Реклама в каждом ответе';

/** The feed of a person who has published a post, with another one in the composer, and the operator’s blocking of that person. */
async function openWriting() {
  const page = await openOwnPage('/', {
    settings: { CODE_RESEND_SECONDS: '0', CONTACT: 'mailto:keeper@wall.example' },
  });
  const { wall, screen, person } = page;
  await publish(screen, 'Доброе утро');
  await openComposer(screen);
  await write(screen, 'Ещё кое-что');
  return { ...page, block: () => wall.operator('block', person.name, '--reason', reason) };
}

const notice = async (screen: Screen) =>
  queriesIn(await screen.findByRole('dialog', { name: 'Учётная запись заблокирована' }));

const linksToKeeper = (place: Queries): void =>
  assert.equal(
    place.getByRole('link', { name: 'keeper@wall.example' }).getAttribute('href'),
    'mailto:keeper@wall.example',
  );

test('a blocked person sees why, keeps the draft, and can read but not sign in until unblocked', async () => {
  await using page = await openWriting();
  const { wall, screen, person } = page;
  await page.block();
  await decide(screen, 'Опубликовать');
  const shown = await notice(screen);
  shown.getByText(`Причина: ${reason}`);
  linksToKeeper(shown);
  assert.equal(shown.getByRole('link', { name: 'Правила' }).getAttribute('href'), '/rules');
  await press(screen, 'Понятно', shown);
  await screen.until(async () => assert.equal((await textField(screen)).value, 'Ещё кое-что'));
  screen.press('Escape');
  await formClosed(screen);
  await button(screen.banner(), 'Войти');
  card(screen, 'Доброе утро');

  await openSignIn(screen);
  await askForCode(screen, person.email);
  await enterCode(screen, await wall.mail.codeTo(person.email));
  await dialogShows(screen, reason);
  linksToKeeper(signInDialog(screen));
  await press(screen, 'Вернуться', signInDialog(screen));
  await hasFocus(screen, await screen.findByRole('textbox', { name: 'Электронная почта' }));

  await wall.operator('unblock', person.name, '--reason', 'договорились');
  await askForCode(screen, person.email);
  await using entered = await signedInPage(wall, screen, person.email);
  assert.equal(shownName(entered), person.name);
});

test('a form sent after the page has learned of the block keeps its text', async () => {
  await using page = await openWriting();
  const { screen } = page;
  const form = queriesIn(screen.getByRole('dialog', { name: 'Новая запись' }));
  await page.block();
  await screen.click(cardOf(screen, 'Доброе утро').getByRole('button', { name: 'Нравится' }));
  const shown = await notice(screen);
  // The press came just before the notice that is above the form.
  await press(screen, 'Опубликовать', form);
  await screen.until(() => assert.match(textOf(form.getAllByRole('alert').at(-1)!), new RegExp(reason)));
  await press(screen, 'Понятно', shown);
  await screen.until(async () => assert.equal((await textField(screen)).value, 'Ещё кое-что'));
  assert.equal(callsOf(screen, /^POST .*\/posts$/).length, 1);
});

test('a person blocked in the meantime sees the page as a visitor', async () => {
  await using wall = await openSeeded();
  await wall.operator('block', wall.anna.name, '--reason', reason);
  const first = await openScreen(wall, '/own/posts', { as: wall.me, prepare: () => {} });
  (await notice(first)).getByText(`Причина: ${reason}`);
  first.press('Escape');
  await formClosed(first);
  await button(first.main(), 'Войти');
  await using screen = await first.reload();
  assert.ok(screen.queryByRole('dialog') === null);
});
