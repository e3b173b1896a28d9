import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { admin } from '../../test/kit/admin.ts';
import { SECRET } from '../../test/kit/server-process.ts';
import { addInvites, setRegistrationMode } from '../features/moderation/invites.ts';
import { makeSecrets } from '../secrets.ts';
import { enter, textsOf } from '../../test/kit/plain/enter.ts';
import { openPlain } from '../../test/kit/plain/open-plain.ts';
import { openTextBrowser } from '../../test/kit/plain/text-browser.ts';

test('the sign-in leads to no other site', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/a\nb']) {
    await browser.open(`/sign-in?${new URLSearchParams({ next })}`);
    assert.equal(browser.page().document.querySelector('main a')!.getAttribute('href'), '/', next);
  }
});

test('a registration needs the consent and the invitation that the wall asks for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(join(folder, 'consent.md'), '# Согласие');
  await using wall = await openPlain('sqlite', { PAGES_DIR: folder });
  await admin(wall.db, 'registration', 'invite', '--reason', 'набежали');
  const [code] = /[A-Z0-9]{5}-[A-Z0-9]{5}/.exec(await admin(wall.db, 'invite', '--reason', 'для Анны'))!;
  const browser = openTextBrowser(wall.url);
  const agreed = { 'Я согласен(на) на обработку персональных данных': true } as const;
  await browser.open('/sign-in');
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить');
  assert.match(await browser.text(), /Без согласия зарегистрироваться нельзя/);
  await browser.send('Продолжить', agreed);
  await browser.send('Продолжить', { ...agreed, 'Код приглашения': 'AAAAA-AAAAA' });
  assert.equal(browser.valueOf('invite'), 'AAAAA-AAAAA');
  await browser.send('Продолжить', { ...agreed, 'Код приглашения': code });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  assert.equal((await wall.world.whoIs(wall.email)).id, 3);
  await rm(folder, { recursive: true });
});

test('where only members search, they search without scripts', async () => {
  await using wall = await openPlain('sqlite', { SEARCH: 'members' });
  const [member, visitor] = [await enter(wall), openTextBrowser(wall.url)];
  await visitor.open('/search?q=хлеб');
  assert.ok(!(await visitor.text()).includes('закваску'));
  await member.open('/search');
  await member.send('Найти', { 'Поиск по записям': 'хлеб' });
  assert.match(await member.text(), /закваску/);
});

test('a session in use lives on, and reading writes to it at most once a day', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  const active = async () => (await wall.db.read.selectFrom('sessions').selectAll().execute())[0]!;
  const before = await active();
  await browser.open('/notifications');
  assert.deepEqual(await active(), before);
  assert.equal(
    browser
      .page()
      .headers.getSetCookie()
      .filter((line) => line.startsWith('session=')).length,
    0,
  );
  await wall.db.tx((tx) =>
    tx.db
      .updateTable('sessions')
      .set({ last_active_at: before.last_active_at - 25 * 3_600 })
      .execute(),
  );
  await browser.open('/notifications');
  const after = await active();
  assert.ok(after.last_active_at >= before.last_active_at);
  assert.equal(after.client_token, before.client_token);
  assert.equal(
    browser
      .page()
      .headers.getSetCookie()
      .filter((line) => line.startsWith('session=')).length,
    1,
  );
});

test('a page names the reason of a block, and what was typed is kept', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  await browser.open('/new');
  const form = browser.formOf('Опубликовать', { 'Текст записи': 'Не успел' });
  await admin(wall.db, 'block', 'anna_k', '--reason', 'спам');
  assert.equal((await browser.post(form)).status, 303);
  assert.ok(!(await textsOf(wall)).includes('Не успел'));
  await browser.open(`/posts/${wall.world.postId}/actions`);
  assert.equal(browser.page().status, 403);
  assert.match(browser.page().body, /заблокирована[^]*спам/);
  await admin(wall.db, 'unblock', 'anna_k', '--reason', 'ошибка');
  await browser.open('/new');
  assert.equal(browser.valueOf('text'), 'Не успел');
});

test('the link of an empty wall leads a visitor through the registration and makes them its owner', async () => {
  await using wall = await openPlain('sqlite');
  const browser = openTextBrowser(wall.url);
  await browser.open('/owner/1.x');
  assert.match(await browser.text(), /не существует/);
  const until = String(Math.floor(Date.now() / 1_000) + 60);
  const path = `/owner/${until}.${makeSecrets(SECRET).sign('owner link', until)}`;
  await browser.open(path);
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  assert.equal(await browser.path(), path);
  await browser.send('Стать владельцем');
  assert.equal(await browser.path(), '/keep');
  assert.match(await browser.text(), /С чего начать/);
  await browser.open(path);
  assert.match(await browser.text(), /не существует/);
});

test('the pages of keepers are missing for everybody else, and there for them', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  const status = async (path: string) => {
    await browser.open(path);
    return browser.page().status;
  };
  const paths = ['/keep', '/moderation'];
  const statuses = () => Promise.all(paths.map(async (path) => (await fetch(wall.url + path)).status));
  assert.deepEqual(await statuses(), [404, 404]);
  assert.deepEqual([await status('/keep'), await status('/moderation')], [404, 404]);
  assert.match(await browser.text(), /не существует/);
  const { id } = await wall.world.whoIs('anna_k@example.org');
  await wall.world.seed.appoint({ id, name: 'anna_k' });
  assert.deepEqual([await status('/keep'), await status('/moderation')], [404, 200]);
  await wall.world.seed.appoint({ id, name: 'anna_k' }, 'owner');
  assert.deepEqual([await status('/keep'), await status('/moderation')], [200, 200]);
});

test('who comes by the link of an invitation reads who invites, and registers with its code', async () => {
  await using wall = await openPlain('sqlite');
  const code = 'ABCDE-FGHJK';
  await wall.db.tx(async (tx) => {
    await setRegistrationMode(tx, 'invite');
    await addInvites(tx, [code], 'соседям', 0, { seats: 2, made_by: wall.world.author.id });
  });
  const browser = openTextBrowser(wall.url);
  await browser.open(`/join/${code}`);
  assert.match(await browser.text(), /Вас зовут на стену «Стена»[^]*Приглашает .*baker_of_bread/);
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  assert.equal(await browser.path(), '/');
  const { used } = await wall.db.read.selectFrom('invites').select('used').executeTakeFirstOrThrow();
  assert.equal(used, 1);
  await browser.open(`/join/${code}`);
  assert.match(await browser.text(), /Вы уже здесь/);
});
