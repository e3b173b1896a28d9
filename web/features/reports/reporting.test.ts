import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAs } from '../../../test/kit/screen/account.ts';
import { callsOf, choice, choose, decide, formClosed, dialogShows, toast } from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { newPerson } from '../../../test/kit/seed.ts';

const text = 'Купите у меня гараж';

async function openAdvert() {
  const wall = await openSeeded();
  const id = await wall.post(await wall.person('galina_m'), text);
  return { ...wall, id };
}

const reasons = (screen: Screen) => screen.dialog().queryAllByRole('radio');
const pick = async (screen: Screen, reason: string): Promise<void> =>
  screen.click(await screen.until(() => screen.dialog().getByLabelText(reason)));

test('a report needs a reason', async () => {
  await using wall = await openAdvert();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await choose(screen, text, 'Пожаловаться');
  await screen.findByRole('dialog', { name: 'Пожаловаться' });
  await screen.until(() => assert.equal(reasons(screen).length, 7));
  const send = await choice(screen, 'Отправить');
  assert.ok(send.disabled);
  await pick(screen, 'Спам');
  await screen.until(() => assert.ok(!send.disabled));
  send.click();
  send.click();
  await toast(screen, 'Жалоба отправлена');
  await formClosed(screen);
  assert.equal(callsOf(screen, /^POST .*\/reports\?/).length, 1);
});

test('reasons that fail to load can be retried', async () => {
  await using wall = await openAdvert();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const end = screen.network.intercept(/\/reports\/reasons$/, () => Promise.reject(new TypeError('reset')));
  await choose(screen, text, 'Пожаловаться');
  await dialogShows(screen, 'Нет соединения');
  end();
  await decide(screen, 'Повторить');
  await screen.until(() => assert.equal(reasons(screen).length, 7));
});

test('reporting a deleted post removes it', async () => {
  await using wall = await openAdvert();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await choose(screen, text, 'Пожаловаться');
  await pick(screen, 'Спам');
  // Nothing is deleted here: the event about it would remove the card, too.
  screen.network.intercept(/^POST /, () => Response.json({ code: 'NOT_FOUND', message: '' }, { status: 404 }));
  await decide(screen, 'Отправить');
  await toast(screen, 'Сообщение не найдено');
  await screen.until(() => assert.ok(screen.queryByText(text) === null));
});

test('a visitor who reports signs in first and finds the dialog open', async () => {
  await using wall = await openAdvert();
  const { email } = await newPerson(wall);
  const visitor = await openScreen(wall, '/');
  await choose(visitor, text, 'Пожаловаться');
  await using screen = await signInAs(visitor, wall, email);
  await pick(screen, 'Мошенничество');
  await decide(screen, 'Отправить');
  await toast(screen, 'Жалоба отправлена');
});

test('«Другое» asks what is wrong, and keeps the words while they do not arrive', async () => {
  await using wall = await openAdvert();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await choose(screen, text, 'Пожаловаться');
  await pick(screen, 'Спам');
  assert.equal(screen.dialog().queryByLabelText('Что не так?'), null);
  await pick(screen, 'Другое');
  const send = await choice(screen, 'Отправить');
  await screen.until(() => assert.ok(send.disabled));
  const field = await screen.until(() => screen.dialog().getByLabelText('Что не так?'));
  screen.fill(field, 'Это мой гараж');
  // Another reason and back.
  await pick(screen, 'Мошенничество');
  await pick(screen, 'Другое');
  const end = screen.network.intercept(/\/reports\?/, () => Promise.reject(new TypeError('reset')));
  await decide(screen, 'Отправить');
  await dialogShows(screen, 'Нет соединения');
  end();
  await decide(screen, 'Отправить');
  await toast(screen, 'Жалоба отправлена');
  const [stored] = await wall.db.read.selectFrom('reports').select(['reason_id', 'comment']).execute();
  assert.deepEqual({ ...stored }, { reason_id: 'other', comment: 'Это мой гараж' });
});
