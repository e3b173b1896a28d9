import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  codeField,
  enterCode,
  hasFocus,
  openSignIn,
  press,
  reports,
  shownName,
  submitAddress,
} from '../../../test/kit/screen/account.ts';
import { callsOf, toast } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { openBrowser, wrong } from '../../../test/kit/sign-in.ts';

const path = '/settings/account/deletion';
const getCode = 'Получить код';
const deleteAccount = 'Удалить учётную запись';
const verify = /^POST .*\/deletion\/[^/]+\/verify$/;

/** The page with the mailed code in its field. */
async function openWithCode() {
  const page = await openOwnPage(path);
  const { wall, screen, person } = page;
  await press(screen, getCode);
  const code = await wall.mail.codeTo(person.email);
  await enterCode(screen, code);
  return { ...page, code };
}

const says = (screen: Screen, text: string): boolean =>
  screen.getAllByRole('status').some((each) => textOf(each).includes(text));

test('a deletion names its consequences, waits for its button, signs out and mails the owner', async () => {
  await using page = await openOwnPage('/settings');
  const { wall, screen, person } = page;
  await wall.seed.posts([{ by: person.id, text: 'Моя запись' }]);
  await screen.click(await screen.main().findByRole('link', { name: deleteAccount }));
  await screen.until(() => assert.equal(screen.window.document.title, 'Удаление учётной записи - Стена'));
  await press(screen, getCode);
  for (const consequence of ['исчезнут со стены', 'больше никто не получит', 'Все сеансы', 'нельзя'])
    assert.ok(textOf(screen.getByRole('main')).includes(consequence), consequence);
  await hasFocus(screen, await codeField(screen));
  await enterCode(screen, await wall.mail.codeTo(person.email));
  const ready = await button(screen.main(), deleteAccount);
  await screen.until(() => assert.ok(!ready.disabled));
  await screen.clock.advance(500);
  assert.deepEqual(callsOf(screen, verify), [], 'entering the sixth digit deletes nothing');
  await screen.click(ready);

  await toast(screen, 'Учётная запись удалена');
  await button(screen.banner(), 'Войти');
  await screen.until(() => assert.equal(screen.path(), '/'));
  await screen.until(() => screen.main().getByRole('heading', { name: 'Записи не найдены' }));
  const notice = await wall.mail.mailTo(person.email, ({ text }) => text.includes('ваша учётная запись удалена'));
  assert.ok(notice.text.includes('все сеансы завершены'));
  assert.equal((await wall.get(`/users/${person.name}`)).status, 404);
  await openSignIn(screen);
  await submitAddress(screen, person.email);
  await screen.until(() => assert.match(textOf(screen.getByRole('dialog')), /ещё нет/));
});

test('nothing is said of a deletion when the session has ended elsewhere', async () => {
  await using page = await openWithCode();
  const { wall, screen, person } = page;
  const elsewhere = openBrowser(wall);
  elsewhere.token = (await wall.seed.session(person.id)).token;
  assert.equal((await elsewhere.send('DELETE', '/sessions')).statusCode, 204);
  await press(screen, deleteAccount);
  await toast(screen, 'Сеанс завершён');
  assert.ok(!says(screen, 'Учётная запись удалена'));
});

test('the account is said to be deleted when the response was lost', async () => {
  await using page = await openWithCode();
  const { screen } = page;
  screen.network.loseNext(verify);
  await press(screen, deleteAccount);
  await toast(screen, 'Учётная запись удалена');
  await screen.until(() => assert.equal(screen.path(), '/'));
  assert.ok(!says(screen, 'Сеанс завершён'));
});

test('a wrong code deletes no account and allows leaving the page; a second code has to wait', async () => {
  await using page = await openWithCode();
  await enterCode(page.screen, wrong(page.code));
  await press(page.screen, deleteAccount);
  await reports(page.screen, 'Неверный код. Проверьте его и введите ещё раз.');
  await press(page.screen, 'Вернуться');
  await button(page.screen.main(), getCode);
  await using screen = await page.screen.reload();
  assert.equal(shownName(screen), page.person.name);
  await press(screen, getCode);
  await reports(screen, /Повторить можно через \d+ (сек|мин)\.$/);
});
