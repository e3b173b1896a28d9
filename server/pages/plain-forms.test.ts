import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { limits } from '#contract/limits.ts';
import { engines } from '../../test/kit/engines.ts';
import { enter, textsOf } from '../../test/kit/plain/enter.ts';
import { openPlain, type OpenedPlain } from '../../test/kit/plain/open-plain.ts';
import { plainPaths } from '../../test/kit/plain/pages.ts';
import { openTextBrowser } from '../../test/kit/plain/text-browser.ts';

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
