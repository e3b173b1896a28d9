import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, enterCode, hasFocus, press, reports } from '../../../test/kit/screen/account.ts';
import { callsOf, choice, decide, toast } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';

const path = '/settings/programs';

const nameField = (screen: Screen) => screen.findByRole<HTMLInputElement>('textbox', { name: 'Название' });
const tokens = (screen: Screen) =>
  queriesIn(screen.getByRole('region', { name: 'Ваши токены' })).queryAllByRole('listitem');
const made = (screen: Screen) => screen.queryByRole('region', { name: 'Новый токен' });
const shows = (screen: Screen, text: RegExp) => screen.until(() => assert.match(textOf(tokens(screen)[0]!), text));
const end = (screen: Screen) =>
  screen.until(async () => screen.click(await button(queriesIn(tokens(screen)[0]!), 'Завершить')));

/** Fills the form and requests the code. */
async function order(screen: Screen, name: string, scope: string): Promise<void> {
  screen.fill(await nameField(screen), name);
  await screen.click(screen.getByRole('radio', { name: scope }));
  await press(screen, 'Получить код');
  await screen.findByRole('textbox', { name: 'Код из письма' });
}

test('a token is made with a code, copied, used by a program and ended', async () => {
  await using page = await openOwnPage('/settings', { settings: { CODE_RESEND_SECONDS: '0' } });
  const { wall, screen: first, person } = page;
  await first.click(await first.main().findByRole('link', { name: 'Токены для программ' }));
  await first.until(() => assert.equal(first.window.document.title, 'Токены для программ - Стена'));
  await first.findByText('Токенов пока нет');
  assert.ok((await button(first.main(), 'Получить код')).disabled);
  await order(first, 'бот погоды', 'Читать и писать');
  // The chosen values survive a reload, like the code that is awaited.
  const second = await first.reload();
  let copied = '';
  const clipboard = { writeText: async (text: string) => void (copied = text) };
  Object.defineProperty(second.window.navigator, 'clipboard', { value: clipboard });
  await enterCode(second, await wall.mail.codeTo(person.email));
  const copy = await button(second.main(), 'Скопировать токен');
  await hasFocus(second, copy);
  assert.equal(callsOf(second, /^POST .*\/tokens\/[^/]+\/verify$/).length, 1);
  assert.match(textOf(made(second)), /больше он не покажется/);
  await second.click(copy);
  await toast(second, 'Скопировано');
  assert.match(copied, /^stena_[\w-]{43}$/);
  await shows(second, /бот погодыЧитать и писать · создан.*Ещё не использован/);
  assert.equal((await nameField(second)).value, '');

  const publish = (text: string) =>
    wall.app.inject({
      method: 'POST',
      url: '/api/v1/posts',
      headers: { authorization: `Bearer ${copied}` },
      payload: { text },
    });
  const published = await publish('Завтра дождь');
  assert.deepEqual([published.statusCode, published.json().owner.id], [201, String(person.id)]);
  await using screen = await second.reload();
  await screen.until(() => assert.equal(tokens(screen).length, 1));
  await shows(screen, /Использован только что/);
  assert.ok(made(screen) === null);
  assert.ok(!screen.window.document.documentElement.outerHTML.includes(copied));

  await end(screen);
  await decide(screen, 'Отмена');
  assert.equal(tokens(screen).length, 1);
  await end(screen);
  await decide(screen, 'Завершить');
  await toast(screen, 'Токен завершён');
  await screen.findByText('Токенов пока нет');
  await hasFocus(screen, screen.getByRole('heading', { name: 'Ваши токены' }));
  assert.equal(callsOf(screen, /^DELETE .*\/tokens\//).length, 1);
  assert.equal((await publish('Ещё')).statusCode, 401);
});

test('a rejected name of a token, a list that does not load and an end that is lost are reported', async () => {
  await using page = await openOwnPage(path, { settings: { CODE_RESEND_SECONDS: '0' } });
  const { wall, screen: first, person } = page;
  await order(first, '\u2800', 'Только читать');
  await enterCode(first, await wall.mail.codeTo(person.email));
  await reports(first, /^Назовите токен иначе/);
  await order(first, 'бот', 'Только читать');
  await enterCode(first, await wall.mail.codeTo(person.email));
  await first.until(() => assert.match(textOf(made(first)), /бот/));
  const lose = () => {
    throw new TypeError('lost');
  };
  first.network.intercept(/^DELETE .*\/tokens\/\d+$/, async ({ forward }) => (await forward(), lose()));
  first.network.intercept(/^GET .*\/users\/current\/tokens$/, lose);
  await end(first);
  await choice(first, 'Завершить');
  await decide(first, 'Завершить');
  await toast(first, 'Нет соединения');
  assert.equal(tokens(first).length, 1);

  let restore = () => {};
  await using screen = await first.reload(path, ({ network }) => {
    restore = network.intercept(/^GET .*\/users\/current\/tokens$/, lose);
  });
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  restore();
  await press(screen, 'Повторить');
  await screen.findByText('Токенов пока нет');
});
