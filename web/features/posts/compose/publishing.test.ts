import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import {
  callsOf,
  card,
  cards,
  choice,
  decide,
  formClosed,
  dialogShows,
  openComposer,
  publish,
  textField,
  toast,
  write,
} from '../../../../test/kit/screen/posts.ts';
import { openOwnPage, openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

const posts = /^POST .*\/posts$/;
const fail = () => Promise.reject(new TypeError('Failed to fetch'));

test('a published post is at the top of the feed, and «Смотреть» leads to it', async () => {
  await using wall = await openSeeded();
  await wall.seed.posts([{ by: await wall.person('galina_m'), text: 'Старая запись', age: 60 }]);
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await openComposer(screen);
  await write(screen, '  Первая запись\r\nв две строки  ');
  await decide(screen, 'Опубликовать');
  await formClosed(screen);
  await screen.until(() => assert.equal(cards(screen).length, 2));
  assert.match(cards(screen)[0]!.textContent, /Первая запись\nв\sдве\sстроки/);
  assert.match(textOf(cards(screen)[0]!), /anna_k/);
  await screen.click(queriesIn(await toast(screen, 'Опубликовано')).getByRole('link', { name: 'Смотреть' }));
  await screen.until(() => assert.match(screen.path(), /^\/posts\/\d+$/));
  await screen.until(() => assert.match(textOf(screen.getByRole('main')), /Первая запись/));
  await screen.until(() => assert.ok(screen.queryByText('Опубликовано') === null));
});

test('the counter appears near the limit, and an empty or too long text cannot be sent', async () => {
  await using page = await openOwnPage('/');
  const { screen } = page;
  await openComposer(screen);
  const send = await choice(screen, 'Опубликовать');
  const textOfDialog = () => textOf(screen.getByRole('dialog'));
  for (const text of ['', ' \n ']) {
    await write(screen, text);
    await screen.until(() => assert.ok(send.disabled));
  }
  await write(screen, 'ж'.repeat(limits.postLength - limits.postCounterFrom - 1));
  await screen.until(() => assert.ok(!send.disabled));
  assert.doesNotMatch(textOfDialog(), /Осталось/);
  await write(screen, '😀'.repeat(limits.postLength - limits.postCounterFrom));
  await dialogShows(screen, 'Осталось символов: 50');
  assert.ok(!send.disabled);
  await write(screen, 'ж'.repeat(limits.postLength + 7));
  await dialogShows(screen, '−7');
  assert.equal(textOf(screen.dialog().getAllByRole('alert')[0]!), 'Текст длиннее 500 символов. Сократите его.');
  assert.ok(send.disabled);
  screen.press('Enter', { ctrlKey: true });
  // A text that may be sent is sent, so the one before was refused.
  assert.deepEqual(callsOf(screen, posts), []);
  await write(screen, 'Короче');
  await screen.until(() => assert.ok(!send.disabled));
  screen.press('Enter', { ctrlKey: true });
  await toast(screen, 'Опубликовано');
  assert.equal(callsOf(screen, posts).length, 1);
});

test('the remaining characters are announced at intervals, not at each key', async () => {
  await using page = await openOwnPage('/');
  const { screen } = page;
  await openComposer(screen);
  const stages: Array<[left: number, words: string]> = [
    [51, ''],
    [50, 'Осталось символов: 50'],
    [21, 'Осталось символов: 50'],
    [20, 'Осталось символов: 20'],
    [9, 'Осталось символов: 9'],
    [1, 'Осталось символов: 9'],
    [0, 'Осталось символов: 0'],
    [-1, 'Лишних символов: 1'],
    [-7, 'Лишних символов: 1'],
    [200, ''],
  ];
  for (const [left, words] of stages) {
    await write(screen, 'ж'.repeat(limits.postLength - left));
    await screen.until(() => assert.equal(textOf(screen.dialog().getByRole('status')), words, `${left} left`));
  }
});

test('a double click publishes once', async () => {
  await using page = await openOwnPage('/');
  const { screen } = page;
  await openComposer(screen);
  await write(screen, 'Один раз');
  const send = await choice(screen, 'Опубликовать');
  await screen.until(() => assert.ok(!send.disabled));
  send.click();
  send.click();
  await toast(screen, 'Опубликовано');
  assert.equal(callsOf(screen, posts).length, 1);
  await screen.until(() => assert.equal(cards(screen).length, 1));
});

test('offline: the text stays and can be published later', async () => {
  await using page = await openOwnPage('/');
  const { screen } = page;
  await openComposer(screen);
  await write(screen, 'Из метро');
  screen.network.setOnline(false);
  await decide(screen, 'Опубликовать');
  await dialogShows(screen, 'Нет соединения');
  screen.network.setOnline(true);
  await decide(screen, 'Опубликовать');
  await screen.until(() => card(screen, 'Из метро'));
});

test('shows a failure as a toast after the dialog was closed, and stores the text', async () => {
  await using page = await openOwnPage('/');
  const { screen } = page;
  const cut = Promise.withResolvers<void>();
  screen.network.intercept(posts, () => cut.promise.then(fail));
  await openComposer(screen);
  await write(screen, 'Закрыто на полпути');
  await decide(screen, 'Опубликовать');
  screen.press('Escape');
  await formClosed(screen);
  cut.resolve();
  await toast(screen, 'Нет соединения');
  await openComposer(screen);
  assert.equal((await textField(screen)).value, 'Закрыто на полпути');
});

test('a second submission during the first does not add a second post', async () => {
  await using page = await openOwnPage('/');
  const { screen } = page;
  const sent = Promise.withResolvers<void>();
  screen.network.intercept(posts, ({ forward }) => sent.promise.then(forward));
  for (let turn = 1; turn <= 2; turn += 1) {
    await openComposer(screen);
    await write(screen, 'Дважды');
    await decide(screen, 'Опубликовать');
    await screen.until(() => assert.equal(callsOf(screen, posts).length, turn));
    if (turn === 1) {
      screen.press('Escape');
      await formClosed(screen);
    }
  }
  sent.resolve();
  await dialogShows(screen, /Пост с id=\d+ уже существует/);
  await screen.until(() => assert.equal(cards(screen).length, 1));
});

test('the rate limit of posts says when to retry', async () => {
  await using page = await openOwnPage('/', { settings: { RATE_LIMITS: 'on' } });
  const { screen } = page;
  for (let number = 1; number <= 5; number += 1) await publish(screen, `Запись номер ${number}`);
  await openComposer(screen);
  await write(screen, 'Лишняя');
  await decide(screen, 'Опубликовать');
  await dialogShows(screen, /Повторить можно через \d+ (сек|мин)\./);
  assert.equal((await textField(screen)).value, 'Лишняя');
});
