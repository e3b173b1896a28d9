import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { limits } from '#contract/limits.ts';
import { admin } from '../../test/kit/admin.ts';
import { SECRET } from '../../test/kit/server-process.ts';
import { addInvites, setRegistrationMode } from '../features/moderation/invites.ts';
import { makeSecrets } from '../secrets.ts';
import { engines } from '../../test/kit/engines.ts';
import { openPlain, type OpenedPlain } from '../../test/kit/plain/open-plain.ts';
import { plainPaths } from '../../test/kit/plain/pages.ts';
import { openTextBrowser, type TextBrowser } from '../../test/kit/plain/text-browser.ts';

/** A person who is signed in, in a text browser. */
async function enter({ url, world }: OpenedPlain, name = 'anna_k'): Promise<TextBrowser & { id: number }> {
  const id = await world.seed.person(name);
  const { cookie } = await world.seed.session(id);
  const browser = openTextBrowser(url);
  browser.cookies.set('session', cookie);
  return Object.assign(browser, { id });
}

const textsOf = async ({ db }: OpenedPlain): Promise<string[]> =>
  (await db.read.selectFrom('posts').select('text').orderBy('id').execute()).map(({ text }) => text);

test('an error keeps what was typed, and Back never leads to a sent form', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  const tooLong = 'ж'.repeat(limits.postLength + 1);
  await browser.open('/new');
  const response = await browser.post(browser.formOf('Опубликовать', { 'Текст записи': tooLong }));
  assert.equal(response.status, 303);
  await browser.open('/new');
  assert.match(await browser.text(), /500/);
  assert.equal(browser.valueOf('text'), tooLong);
  // Once only.
  await browser.open('/new');
  assert.equal(browser.valueOf('text'), '');
  await browser.open('/settings/account/username');
  await browser.send('Сохранить', { 'Имя пользователя': 'ann' });
  assert.equal(browser.valueOf('username'), 'ann');
  await browser.send('Сохранить', { 'Имя пользователя': wall.world.author.name });
  assert.match(await browser.text(), /Это имя уже занято/);
});

test('a text that no cookie can hold is shown again at once', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  const long = '漢'.repeat(20_000);
  await browser.open('/new');
  const response = await browser.post(browser.formOf('Опубликовать', { 'Текст записи': long }));
  assert.equal(response.status, 422);
  assert.ok((await response.text()).includes(long));
});

for (const engine of engines) {
  test(`a form sent twice acts once on ${engine}`, async () => {
    await using wall = await openPlain(engine);
    const browser = await enter(wall);
    await browser.open('/new');
    const [first, second] = await browser.sendTwice('Опубликовать', { 'Текст записи': 'Один раз' });
    assert.equal(first, second);
    // Again later, in another process or after the first result was forgotten.
    await browser.open('/new');
    const form = browser.formOf('Опубликовать', { 'Текст записи': 'И ещё один' });
    await browser.post(form);
    browser.cookies.set('another', 'cookie');
    await browser.post(form);
    const texts = await textsOf(wall);
    assert.equal(texts.filter((text) => text === 'Один раз').length, 1);
    assert.equal(texts.filter((text) => text === 'И ещё один').length, 1);
  });

  test(`a warning stands on every page until it is read on ${engine}`, async () => {
    await using wall = await openPlain(engine);
    const browser = await enter(wall);
    await wall.db.tx((tx) =>
      tx.db.updateTable('users').set({ warning: 'Не шумите' }).where('id', '=', browser.id).execute(),
    );
    for (const path of ['/new', '/settings']) {
      await browser.open(path);
      assert.match(await browser.text(), /Вас предупреждают.*Не шумите/s);
    }
    await browser.send('Понятно');
    assert.equal(await browser.path(), '/settings');
    assert.doesNotMatch(await browser.text(), /предупреждают/);
  });

  test(`a code sent twice signs in once on ${engine}`, async () => {
    await using wall = await openPlain(engine);
    const browser = openTextBrowser(wall.url);
    await browser.open('/sign-in');
    await browser.send('Получить код', { 'Электронная почта': wall.email });
    await browser.send('Продолжить');
    const [first, second] = await browser.sendTwice('Продолжить', {
      'Код из письма': await wall.mail.codeTo(wall.email),
    });
    assert.deepEqual([first, second], ['/', '/']);
    await browser.open('/settings');
    assert.match(await browser.text(), /Выйти/);
  });

  test(`an expired session leads to sign-in and back to the filled form on ${engine}`, async () => {
    await using wall = await openPlain(engine);
    const browser = await enter(wall);
    const path = `/posts/${wall.world.postId}/reply`;
    await browser.open(path);
    await wall.db.tx((tx) => tx.db.deleteFrom('sessions').execute());
    await browser.send('Опубликовать', { 'Текст ответа': 'Не потеряйте меня' });
    assert.equal(await browser.path(), `/sign-in?next=${encodeURIComponent(path)}`);
    await browser.send('Получить код', { 'Электронная почта': 'anna_k@example.org' });
    await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo('anna_k@example.org') });
    assert.equal(await browser.path(), path);
    assert.equal(browser.valueOf('text'), 'Не потеряйте меня');
    await browser.send('Опубликовать');
    assert.ok((await textsOf(wall)).includes('Не потеряйте меня'));
  });
}

async function fill(wall: OpenedPlain, browser: { id: number }): Promise<number> {
  const { seed, author } = wall.world;
  await seed.appoint({ id: browser.id, name: 'anna_k' }, 'owner');
  const [own] = await seed.posts([{ by: browser.id, text: 'Своя' }]);
  await seed.replies(own!, [{ by: author.id, text: 'Вам ответ' }]);
  await seed.session(browser.id, { userAgent: 'Edge', userAgentVersion: '1', os: 'Linux' });
  return own!;
}

/** How pages of other origins send forms, in new browsers and in old ones. */
const foreign: Record<string, string>[] = [
  'https://evil.example',
  'http://evil.example',
  'null',
  'https://localhost',
  'http://localhost',
  'http://127.0.0.1',
  'http://sub.localhost:3000',
  'file://',
].flatMap((origin) => [
  { origin, 'sec-fetch-site': origin.includes('localhost') ? 'same-site' : 'cross-site' },
  { origin },
]);

test('no form of another origin acts, nor one without the token of its own page', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  const other = await enter(wall, 'boris_petrov');
  const own = await fill(wall, browser);
  await other.open('/new');
  const stolen = other.formOf('Опубликовать').get('token')!;
  const before = await wall.rows();
  let forms = 0;
  for (const path of plainPaths({ own, other: wall.world.postId, name: wall.world.author.name })) {
    await browser.open(path);
    for (const form of browser.forms()) {
      forms += 1;
      for (const headers of foreign) {
        const response = await browser.post(form, headers);
        assert.equal(response.status, 403, `${path} ${JSON.stringify(headers)}`);
      }
      for (const token of ['', 'x', stolen]) {
        const forged = new URLSearchParams(form);
        forged.set('token', token);
        const response = await browser.post(forged, { 'sec-fetch-site': 'same-origin' });
        assert.equal(response.status, 303);
      }
      browser.cookies.delete('form');
    }
  }
  assert.ok(forms > 20, String(forms));
  assert.equal(foreign.length, 16);
  assert.equal(await wall.rows(), before);
});

/** A server sends ten segments of TCP before it waits for the client. */
const oneFlight = 14_336;

test('personal pages are neither stored nor given to others, and fit into one flight', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  const own = await fill(wall, browser);
  for (const path of [
    ...plainPaths({ own, other: wall.world.postId, name: wall.world.author.name }),
    '/liked',
    '/sign-in',
  ]) {
    // A visitor's page may be in the cache.
    const [visitor, again] = [openTextBrowser(wall.url), openTextBrowser(wall.url)];
    for (let turn = 0; turn < 3; turn += 1) await visitor.open(path);
    await browser.open(path);
    const { headers } = browser.page();
    assert.equal(headers.get('cache-control'), 'no-store, no-cache', path);
    assert.match(await browser.text(), path === '/sign-in' ? /Вы вошли/ : /./);
    await again.open(path);
    assert.ok(!again.page().body.includes(browser.forms()[0]?.get('token') ?? 'anna_k@'), path);
    const headersOf = (encoding: string) => ({
      'accept-encoding': encoding,
      cookie: `session=${browser.cookies.get('session')}`,
    });
    if (path === '/new') {
      // The feed stands behind the form. Its size is that of the posts, and the form works without it.
      const page = await (await fetch(wall.url + path, { headers: headersOf('identity') })).text();
      const form = page.slice(0, page.indexOf('<div id="root">'));
      assert.match(form, /<button type="submit">Опубликовать/);
      assert.ok(gzipSync(form).length <= oneFlight, path);
      continue;
    }
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(wall.url + path, { headers: headersOf(encoding) });
      assert.equal(response.headers.get('content-encoding'), encoding);
      assert.ok(
        Number(response.headers.get('content-length')) <= oneFlight,
        `${path}: ${response.headers.get('content-length')}`,
      );
    }
  }
});

test('a person reads what is kept about them', async () => {
  await using wall = await openPlain('sqlite');
  const browser = await enter(wall);
  await browser.open('/settings/data');
  const text = await browser.text();
  assert.match(text, /Скачать мои данные.*Сеансы: 1, .* — браузер, система.*Хранится: 90 дней без посещений/);
  assert.match(text, /Счётчики запросов — сколько раз/);
});

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
