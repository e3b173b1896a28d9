import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFocus } from '../../../../test/kit/screen/account.ts';
import { openDiscussion } from '../../../../test/kit/screen/discussion.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { callsOf, card, cardOf } from '../../../../test/kit/screen/posts.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';
import { bakeries, question } from '../../../../test/kit/sample-discussion.ts';

const pill = (screen: Screen) => screen.queryByRole('button', { name: /^Новые ответы|^К следующему новому/ });
const hasPill = (screen: Screen, text: string): Promise<void> =>
  screen.until(() => assert.equal(textOf(pill(screen)), text));
const statuses = (screen: Screen, text: string): number =>
  screen.getAllByRole('status').filter((each) => textOf(each).includes(text)).length;
const opened = (screen: Screen): Promise<void> =>
  screen.until(() => assert.ok(callsOf(screen, /\/events/).length > 0 && screen.network.withoutResponse() === 0));

test('the pill goes from one new reply to the next', async () => {
  await using page = await openDiscussion(question, bakeries, { asVisitor: true });
  const { wall, screen, ids } = page;
  const by = await wall.seed.person('newcomer');
  await wall.seed.replies(ids.get('И карты не принимают.')!, [{ by, text: 'Глубоко внизу' }]);
  await wall.seed.replies(ids.get('Поддерживаю, 2.')!, [{ by, text: 'Внизу' }]);
  await hasPill(screen, 'Новые ответы: 2');
  // The second reply may come after the first has been said.
  await screen.until(() => assert.equal(statuses(screen, 'Новые ответы: '), 1));
  for (const [text, left] of [
    ['Внизу', 'Новые ответы: 1'],
    ['Глубоко внизу', ''],
  ] as const) {
    await screen.click(pill(screen)!);
    await screen.until(() => assert.match(textOf(screen.focused()), new RegExp(`${text}(Нравится|свернуть)`)));
    await hasPill(screen, left);
  }
  const replyButton = () => cardOf(screen, question).getByRole('button', { name: /^Ответить/ });
  await screen.until(() => assert.equal(textOf(replyButton()), 'Ответить32'));
});

test('many replies at once are loaded by few requests', async () => {
  await using page = await openDiscussion(question, bakeries, { asVisitor: true });
  const { wall, screen, ids } = page;
  const by = await wall.seed.person('newcomer');
  const held = Promise.withResolvers<void>();
  const asked = /\/thread\?/;
  screen.network.intercept(asked, ({ forward }) => held.promise.then(forward));
  const reply = (text: string) => wall.seed.replies(ids.get('Поддерживаю, 2.')!, [{ by, text }]);
  await reply('Новый 1');
  await screen.until(() => assert.equal(callsOf(screen, asked).length, 1));
  for (let number = 2; number <= 20; number += 1) await reply(`Новый ${number}`);
  held.resolve();
  await hasPill(screen, 'Новые ответы: 20');
  assert.ok(callsOf(screen, asked).length <= 5, callsOf(screen, asked).join('\n'));
});

test('replies of muted authors do not count in the pill', async () => {
  await using page = await openDiscussion('Вопрос', [{ text: 'Ответ', by: 'newcomer' }]);
  const { wall, ids } = page;
  const author = await page.screen.reload('/users/newcomer');
  await author.click(await author.findByRole('button', { name: 'Не показывать автора' }));
  await author.findByText('Вы не показываете этого автора');
  await using screen = await author.reload(`/posts/${ids.get('Вопрос')}`);
  await opened(screen);
  const [by] = await wall.db.read.selectFrom('users').select('id').where('username', '=', 'newcomer').execute();
  const other = await wall.seed.person('calm_one');
  for (const [writer, text] of [
    [by!.id, 'Не слышно'],
    [other, 'Слышно'],
  ] as const)
    await wall.seed.replies(ids.get('Ответ')!, [{ by: writer, text }]);
  await screen.until(() => cardOf(screen, 'Вопрос').getByText('3'));
  await hasPill(screen, 'Новые ответы: 1');
  await screen.click(pill(screen)!);
  await screen.until(() => assert.match(textOf(screen.focused()), /Слышно/));
  await screen.until(() => assert.ok(pill(screen) === null));
});

test('the key to the next new reply unfolds branches and loads the rest of long ones', async () => {
  const stream = Array.from({ length: 20 }, (_, index) => ({ text: `Поток ${index + 1}` }));
  await using page = await openDiscussion(question, [
    { text: 'Старая ветка' },
    { text: 'Длинная ветка', below: stream },
    { text: 'Короткая ветка', below: [{ text: 'Старый ответ' }] },
  ]);
  const { wall, ids } = page;
  const read = JSON.stringify([[`thread:${ids.get(question)}`, `${Math.max(...ids.values())}`]]);
  const by = await wall.seed.person('newcomer');
  for (const [text, to] of [
    ['Не загружен', 'Длинная ветка'],
    ['В свёрнутой', 'Короткая ветка'],
    ['Последний', 'Старая ветка'],
  ] as const)
    await wall.seed.replies(ids.get(to)!, [{ by, text }]);
  await using screen = await openScreen(wall, `/posts/${ids.get(question)}`, { stored: { reading: read } });
  await hasPill(screen, 'К следующему новому: 2');
  assert.equal(screen.getAllByText(/^Показать\sещё\s1$/).length, 1);
  await screen.click(cardOf(screen, 'Короткая ветка').getByRole('button', { name: /^свернуть/ }));
  await screen.until(() => assert.ok(screen.queryByText('В свёрнутой') === null));
  for (const text of ['В свёрнутой', 'Не загружен', 'Последний']) {
    await screen.click(pill(screen)!);
    await screen.until(() => card(screen, text));
    await hasFocus(screen, card(screen, text));
  }
  await screen.until(() => assert.ok(pill(screen) === null));
});

test('the key skips new replies that are in the window', async () => {
  await using page = await openDiscussion(question, [{ text: 'Выше' }, { text: 'Ниже' }]);
  const { wall, ids } = page;
  const read = JSON.stringify([[`thread:${ids.get(question)}`, `${Math.max(...ids.values())}`]]);
  const by = await wall.seed.person('newcomer');
  for (const text of ['Первый новый', 'Второй новый', 'Третий новый'])
    await wall.seed.replies(ids.get('Выше')!, [{ by, text }]);
  await using screen = await openScreen(wall, `/posts/${ids.get(question)}`, { stored: { reading: read } });
  await hasPill(screen, 'К следующему новому: 3');
  screen.show(card(screen, 'Первый новый'));
  await screen.click(pill(screen)!);
  await hasFocus(screen, card(screen, 'Второй новый'));
  await hasPill(screen, 'К следующему новому: 1');
});
