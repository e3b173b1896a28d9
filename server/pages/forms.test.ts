import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { engines } from '../../test/kit/engines.ts';
import { enter, textsOf } from '../../test/kit/journeys/enter.ts';
import { openStory, type OpenedStory } from '../../test/kit/journeys/open-story.ts';
import { actPaths, personalPaths } from '../../test/kit/journeys/pages.ts';
import { openTextBrowser, type TextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { reads } from '../../test/kit/journeys/act.ts';
import { SECRET } from '../../test/kit/server-process.ts';
import { makeSecrets } from '../secrets.ts';

test('an error keeps what was typed, and Back never leads to a sent form', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const tooLong = 'ж'.repeat(limits.postLength + 1);
  await browser.open('/new');
  const response = await browser.post(browser.formOf('Опубликовать', { 'Текст записи': tooLong }));
  assert.equal(response.status, 303);
  await reads(browser, '/new', /500/);
  assert.equal(browser.valueOf('text'), tooLong);
  // The text is shown again only once.
  await browser.open('/new');
  assert.equal(browser.valueOf('text'), '');
  await browser.open('/settings/account/username');
  await browser.send('Сохранить', { 'Имя пользователя': 'ann' });
  assert.equal(browser.valueOf('username'), 'ann');
  await browser.send('Сохранить', { 'Имя пользователя': wall.world.author.name });
  assert.match(await browser.text(), /Это имя уже занято/);
});

test('an edit of a post that has been deleted says so and keeps the text, without a way to send it again', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const [own] = await wall.world.seed.posts([{ by: browser.id, text: 'Текст' }]);
  const path = addresses.postEdit.href({ id: String(own) });
  await browser.open(path);
  const form = browser.formOf('Сохранить', { 'Текст записи': 'Другой текст' });
  await wall.world.seed.remove(own!);
  await browser.post(form);
  await reads(browser, path, /Запись удалена\. Текст можно скопировать\./);
  assert.equal(browser.page().status, 404);
  assert.equal(browser.valueOf('text'), 'Другой текст');
  assert.doesNotMatch(await browser.text(), /Сохранить|Изменить можно|ещё раз/);
  // The form is shown again only once.
  await reads(browser, path, /Страница не существует/);
});

test('a refused address or code stands at its field, another failure at the form', async () => {
  await using wall = await openStory('sqlite', { CODE_RESEND_SECONDS: '60' });
  const browser = await enter(wall);
  const path = '/settings/account/email';
  const start = (email: string) => browser.send('Получить код', { 'Новый адрес': email });
  const said = (selector: string): string => browser.page().document.querySelector(selector)!.textContent;
  const saidAt = (name: string): string =>
    said(
      `[id="${browser.page().document.querySelector(`[name="${name}"]`)!.getAttribute('aria-describedby')!.split(' ')[0]}"]`,
    );
  await browser.open(path);
  await start('anna@example');
  assert.match(saidAt('email'), /^Введите корректный email/);
  await start('anna_k@example.org');
  assert.match(saidAt('email'), /^Этот адрес уже занят/);
  await start('fresh@example.org');
  await browser.send('Продолжить', { 'Код из письма': '12' });
  assert.match(saidAt('confirmCode'), /^Введите шесть цифр/);
  // A code is requested again too early.
  await browser.open(path);
  await start('fresh@example.org');
  assert.equal(saidAt('email'), '');
  assert.match(said('main form > [role="alert"]'), /^Слишком много запросов/);
});

test('a text that no cookie can hold is shown again at once', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const long = '漢'.repeat(20_000);
  await browser.open('/new');
  const response = await browser.post(browser.formOf('Опубликовать', { 'Текст записи': long }));
  assert.equal(response.status, 422);
  assert.ok((await response.text()).includes(long));

  await browser.open('/settings/account/profile');
  const about = '漢'.repeat(1_500);
  const refused = await browser.post(browser.formOf('Сохранить', { 'Как вас называть': 'Аня', 'О себе': about }));
  assert.equal(refused.status, 422);
  const page = await refused.text();
  assert.match(page, /Текст о себе длиннее/);
  assert.ok(page.includes(`value="${about}"`));
});

for (const engine of engines) {
  test(`a form sent twice acts once on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = await enter(wall);
    await browser.open('/new');
    const [first, second] = await browser.sendTwice('Опубликовать', { 'Текст записи': 'Один раз' });
    assert.equal(first, second);
    await browser.open('/new');
    const form = browser.formOf('Опубликовать', { 'Текст записи': 'И ещё один' });
    await browser.post(form);
    // With another cookie the server does not find its first answer, as in another process or after some time.
    browser.cookies.set('another', 'cookie');
    await browser.post(form);
    const texts = await textsOf(wall);
    assert.equal(texts.filter((text) => text === 'Один раз').length, 1);
    assert.equal(texts.filter((text) => text === 'И ещё один').length, 1);
  });

  test(`a post that was deleted before its answer arrived can be published again on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = await enter(wall);
    await browser.open('/new');
    const form = browser.formOf('Опубликовать', { 'Текст записи': 'Вернись' });
    await browser.post(form);
    await wall.db.tx((tx) => tx.db.deleteFrom('all_posts').where('text', '=', 'Вернись').execute());
    // With another cookie the server does not find its first answer.
    browser.cookies.set('another', 'cookie');
    await browser.post(form);
    await reads(browser, '/new', /Эта запись уже была опубликована и удалена\. Её можно опубликовать ещё раз\./);
    await browser.send('Опубликовать');
    assert.match(await browser.path(), /^\/posts\/\d+$/);
    assert.ok((await textsOf(wall)).includes('Вернись'));
  });

  test(`a reply to a post that is gone keeps its text on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = await enter(wall);
    const path = `/posts/${wall.world.postId}/reply`;
    await browser.open(path);
    await wall.db.tx((tx) => tx.db.deleteFrom('all_posts').where('id', '=', wall.world.postId).execute());
    await browser.send('Опубликовать', { 'Текст ответа': 'Опоздала' });
    assert.equal(await browser.path(), path);
    assert.equal(browser.page().status, 404);
    assert.match(
      await browser.text(),
      /Запись удалена.*Ответить нельзя: этой записи больше нет\. Ваш текст сохранён\./s,
    );
    assert.equal(browser.valueOf('text'), 'Опоздала');
  });

  test(`after a post or reply the name is asked for until it is given or put off, on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = await enter(wall);
    const change = (set: { username?: string; display_name?: null }) =>
      wall.db.tx((tx) => tx.db.updateTable('users').set(set).where('id', '=', browser.id).execute());
    await change({ username: 'user_ab12cd34' });
    await browser.open(`/posts/${wall.world.postId}/reply`);
    await browser.send('Опубликовать', { 'Текст ответа': 'Первый ответ' });
    assert.match(await browser.text(), /Опубликовано.*Как вас называть\?/s);
    await browser.send('Сохранить', { 'Как вас называть': 'Аня с Мира' });
    assert.match(await browser.path(), /^\/posts\/\d+$/);
    assert.match(await browser.text(), /Аня с Мира.*Первый ответ/s);

    await change({ display_name: null, username: 'user_ab12cd34' });
    await browser.open('/new');
    await browser.send('Опубликовать', { 'Текст записи': 'Вторая' });
    await browser.send('Не сейчас');
    assert.match(await browser.path(), /^\/posts\/\d+$/);
    await browser.open('/new');
    await browser.send('Опубликовать', { 'Текст записи': 'Третья' });
    assert.match(await browser.path(), /^\/posts\/\d+$/);
  });

  test(`a warning stands on every page until it is read on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = await enter(wall);
    await wall.db.tx((tx) =>
      tx.db.updateTable('users').set({ warning: 'Не шумите' }).where('id', '=', browser.id).execute(),
    );
    for (const path of ['/new', '/settings']) {
      await reads(browser, path, /Вас предупреждают.*Не шумите/s);
    }
    await browser.send('Понятно');
    assert.equal(await browser.path(), '/settings');
    assert.doesNotMatch(await browser.text(), /предупреждают/);
  });

  test(`a code sent twice signs in once on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = openTextBrowser(wall.url);
    await browser.open('/sign-in');
    await browser.send('Получить код', { 'Электронная почта': wall.email });
    await browser.send('Продолжить');
    const [first, second] = await browser.sendTwice('Продолжить', {
      'Код из письма': await wall.mail.codeTo(wall.email),
    });
    assert.deepEqual([first, second], ['/sign-in?next=%2F', '/sign-in?next=%2F']);
    await reads(browser, '/settings', /Выйти/);
  });

  test(`an expired session leads to sign-in and back to the filled form on ${engine}`, async () => {
    await using wall = await openStory(engine);
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

  test(`what a person has typed is not shown to the next one at the browser on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const browser = await enter(wall);
    const tooLong = 'ж'.repeat(limits.postLength + 1);
    const refuse = async () => {
      await browser.open('/new');
      await browser.post(browser.formOf('Опубликовать', { 'Текст записи': tooLong }));
      assert.ok(browser.cookies.has('form'));
    };
    await refuse();
    await browser.open('/settings');
    await browser.send('Выйти');
    assert.deepEqual(
      ['form', 'sign-in'].filter((name) => browser.cookies.has(name)),
      [],
    );

    // A session may also end elsewhere, and the next person sign in.
    const other = await wall.world.seed.person('boris_k');
    for (const next of [undefined, other]) {
      browser.cookies.set('session', (await wall.world.seed.session(browser.id)).cookie);
      await refuse();
      await wall.db.tx((tx) => tx.db.deleteFrom('sessions').execute());
      if (next !== undefined) browser.cookies.set('session', (await wall.world.seed.session(next)).cookie);
      await browser.open('/new');
      assert.doesNotMatch(browser.page().body, /жжж/);
    }
  });
}

/** Gives an owner something for every personal page. Resolves to the paths of these pages. */
async function fill(wall: OpenedStory, browser: { id: number }): Promise<string[]> {
  const { seed, author, postId: other } = wall.world;
  await seed.appoint({ id: browser.id, name: 'anna_k' }, 'owner');
  const [own] = await seed.posts([{ by: browser.id, text: 'Своя' }]);
  await seed.replies(own!, [{ by: author.id, text: 'Вам ответ' }]);
  await seed.session(browser.id, { userAgent: 'Edge', userAgentVersion: '1', os: 'Linux' });
  await seed.mute(browser.id, author.id);
  const sessions = wall.db.read.selectFrom('sessions').select('id').where('user_id', '=', browser.id);
  const { id: session } = await sessions.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  const named = { own: own!, other, name: author.name };
  return [...personalPaths(named), ...actPaths(named), `/settings/devices/${session}`];
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

/** Resolves to the number of forms on the page, which pages of other origins have tried to send. */
async function refusesForeign(browser: TextBrowser, stolen: string): Promise<number> {
  const { pathname } = browser.page().url;
  const forms = browser.forms();
  for (const form of forms) {
    for (const headers of foreign) {
      const response = await browser.post(form, headers);
      assert.equal(response.status, 403, `${pathname} ${JSON.stringify(headers)}`);
    }
    for (const token of ['', 'x', stolen]) {
      const forged = new URLSearchParams(form);
      forged.set('token', token);
      const response = await browser.post(forged, { 'sec-fetch-site': 'same-origin' });
      assert.equal(response.status, 303, pathname);
    }
    browser.cookies.delete('form');
  }
  return forms.length;
}

/** Pages without forms of a session: pages of posts have links instead, and pages of mailed links need no session. */
const withoutForms = [
  'feed',
  'discussed',
  'best',
  'bestOf',
  'post',
  'sharedPost',
  'user',
  'userReplies',
  'search',
  'settingsExport',
  'undoEmail',
  'undoEmailOutcome',
  'unsubscribe',
  'unsubscribeOutcome',
  'wallText',
];

test('no form of another origin acts, nor one without the token of its own page', async () => {
  await using wall = await openStory('sqlite');
  const [browser, other] = [await enter(wall), await enter(wall, 'boris_petrov')];
  await other.open('/new');
  const stolen = other.formOf('Опубликовать').get('token')!;
  const { seed } = wall.world;
  // The link is like one that was printed when nobody had registered.
  const expiresAt = String(Math.floor(Date.now() / 1_000) + 600);
  const signature = makeSecrets(SECRET).sign('owner link', expiresAt);
  const visited = [
    '/sign-in',
    `/join/${await seed.invitation(other)}`,
    `/claim/${(await seed.imported('boris_schukin')).code}`,
    `/owner/${expiresAt}.${signature}`,
  ];
  const before = await wall.rows();
  for (const path of visited) {
    const visitor = openTextBrowser(wall.url);
    await visitor.open(path);
    assert.ok((await refusesForeign(visitor, stolen)) > 0, path);
  }
  assert.equal(await wall.rows(), before);

  const personal = await fill(wall, browser);
  const filled = await wall.rows();
  let forms = 0;
  for (const path of personal) {
    await browser.open(path);
    forms += await refusesForeign(browser, stolen);
  }
  assert.ok(forms > 60, String(forms));
  assert.equal(await wall.rows(), filled);

  // The steps with a code.
  const visitor = openTextBrowser(wall.url);
  await visitor.open('/sign-in');
  await visitor.send('Получить код', { 'Электронная почта': 'anna_k@example.org' });
  await browser.open('/settings/account/email');
  await browser.send('Получить код', { 'Новый адрес': 'fresh@example.org' });
  const started = await wall.rows();
  for (const asked of [visitor, browser]) {
    assert.match(await asked.text(), /Код из письма/);
    assert.ok((await refusesForeign(asked, stolen)) > 0);
  }
  assert.equal(await wall.rows(), started);

  assert.equal(foreign.length, 16);
  const tried = [...visited, ...personal].map((path) => path.split('?')[0]!);
  const untried = Object.entries(addresses).filter(([, { match }]) => !tried.some((path) => match(path)));
  assert.deepEqual(
    untried.map(([name]) => name),
    withoutForms,
  );
});

/** A server sends ten segments of TCP before it waits for the client. */
const oneFlight = 14_336;

test('personal pages are neither stored nor given to others, and fit into one flight', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const personal = await fill(wall, browser);
  for (const path of [...personal, '/sign-in']) {
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
    // The size of this page depends on the number of reports.
    if (path === '/moderation') continue;
    for (const encoding of personal.includes(path) ? ['br'] : ['br', 'gzip']) {
      const response = await fetch(wall.url + path, { headers: headersOf(encoding) });
      assert.equal(response.headers.get('content-encoding'), encoding);
      const head = [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
      const bytes = Number(response.headers.get('content-length')) + head;
      assert.ok(bytes <= oneFlight, `${path}: ${bytes}, ${head} of them headers`);
    }
  }
});
