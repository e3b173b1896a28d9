import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { admin } from '../../test/kit/admin.ts';
import { enter, textsOf } from '../../test/kit/journeys/enter.ts';
import { type OpenedStory, openStory } from '../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { SECRET } from '../../test/kit/server-process.ts';
import { makeSecrets } from '../secrets.ts';
import { reads } from '../../test/kit/journeys/act.ts';
import { register } from '../../test/kit/member.ts';
import { onWalls } from '../../test/kit/on-walls.ts';

const [address, code] = ['Электронная почта', 'Код приглашения'];

/** A visitor at the sign-in, who sends an address and reads what follows. */
async function openSignIn({ url, mail }: OpenedStory) {
  const browser = openTextBrowser(url);
  await browser.open('/sign-in');
  return {
    ...browser,
    send: browser.send,
    says: async (text: RegExp) => assert.match(await browser.text(), text),
    async entersWith(email: string): Promise<void> {
      await browser.send('Продолжить', { 'Код из письма': await mail.codeTo(email) });
      await browser.open('/settings');
      assert.match(await browser.text(), new RegExp(email));
    },
  };
}

const newCode = ({ world }: OpenedStory) => world.seed.invitation({ seats: 1 });

test('an address that is refused is kept, and another can be sent', async () => {
  await using wall = await openStory('sqlite', { EMAIL_DOMAINS: 'allow:почта.рф' });
  await wall.world.seed.person('anna_k');
  const visitor = await openSignIn(wall);
  await visitor.send('Получить код', { [address]: 'anna@example' });
  await visitor.says(/Введите корректный email/);
  assert.equal(visitor.valueOf('email'), 'anna@example');
  await visitor.send('Получить код', { [address]: wall.email });
  await visitor.says(new RegExp(`Учётной записи с адресом ${wall.email} ещё нет`));
  await visitor.send('Продолжить');
  await visitor.says(/Адреса этого почтового сервиса здесь не принимают/);
  await visitor.send('Вернуться');
  assert.equal(visitor.valueOf('email'), wall.email);
  await visitor.send('Получить код', { [address]: 'anna_k@example.org' });
  assert.match(visitor.page().body, /<input(?=[^>]* autofocus)[^>]* name="confirmCode"/, 'before the scripts');
  await visitor.entersWith('anna_k@example.org');
});

test('where registration needs a code, the sign-in says whose and keeps one that does not fit', async () => {
  await using wall = await openStory('sqlite');
  const early = await openSignIn(wall);
  await early.send('Получить код', { [address]: wall.email });
  await admin(wall.db, 'registration', 'members', '--reason', 'свои');
  // The step was opened before a code was needed.
  await early.send('Продолжить');
  await early.says(/Введите код, который вам дали/);
  await early.send('Продолжить', { [code]: 'ABCDE-ABCDE' });
  await early.says(/Код приглашения не подошёл/);
  assert.equal(early.valueOf('invite'), 'ABCDE-ABCDE');
  await early.send('Продолжить', { [code]: ` ${(await newCode(wall)).replace('-', ' ').toLowerCase()} ` });
  await early.entersWith(wall.email);

  const email = `second-${wall.email}`;
  const visitor = await openSignIn(wall);
  await visitor.says(/Впервые здесь\? Нужно приглашение от участника\. Уже с нами\? Приглашение не нужно\./);
  const good = await newCode(wall);
  await visitor.send('Получить код', { [address]: email, [code]: good });
  await visitor.says(/Введите код, который вам дали/);
  assert.equal(visitor.valueOf('invite'), good);
  await visitor.send('Продолжить');
  await visitor.entersWith(email);
});

test('where nobody may register, the sign-in says so, and lets those in who are here', async () => {
  await using wall = await openStory('sqlite');
  await wall.world.seed.person('anna_k');
  await admin(wall.db, 'registration', 'closed', '--reason', 'свои');
  const visitor = await openSignIn(wall);
  await visitor.says(/Новых учётных записей здесь сейчас не заводят/);
  assert.equal(visitor.valueOf('invite'), undefined);
  await visitor.send('Получить код', { [address]: wall.email });
  await visitor.says(/Учётной записи с таким адресом нет/);
  await visitor.send('Получить код', { [address]: 'anna_k@example.org' });
  await visitor.entersWith('anna_k@example.org');
});

const pagesOfMembers = {
  '/liked': 'Понравившиеся',
  '/own/posts': 'Мои записи',
  '/own/replies': 'Мои ответы',
  '/own/deleted': 'Удалённые',
  '/notifications': 'Уведомления',
  '/settings': 'Настройки',
  '/settings/account/email': 'Электронная почта',
  '/settings/account/username': 'Имя пользователя',
  '/settings/devices': 'Устройства',
  '/settings/data': 'Мои данные',
  '/settings/muted': 'Кого и что не показывать',
  '/following': 'Слежу',
};

test('a page of members says what is there and that one must sign in; a page of keepers does not exist', async () => {
  await using wall = await openStory('sqlite');
  const visitor = openTextBrowser(wall.url);
  for (const [path, name] of Object.entries(pagesOfMembers)) {
    await visitor.open(path);
    assert.match(await visitor.text(), new RegExp(`Нужно войти ?Войдите, чтобы открыть «${name}»`));
    assert.doesNotMatch(await visitor.text(), /не существует/);
    assert.equal(visitor.page().document.title, `${name} - Стена`);
    const next = visitor.page().document.querySelector('main form[action="/sign-in"] [name=next]');
    assert.deepEqual([next?.getAttribute('value'), next?.closest('noscript')], [path, null]);
  }
  await visitor.open('/moderation');
  assert.doesNotMatch(visitor.page().body, /одераци/);
  // The skeleton of a page of keepers is that of a page of members.
  const skeleton = () => visitor.page().document.querySelector('main [aria-busy=true]')!.innerHTML;
  await visitor.open('/settings');
  const ofMembers = skeleton();
  await visitor.open('/moderation/people/baker_of_bread');
  assert.deepEqual([visitor.page().document.title, skeleton()], ['baker_of_bread - Стена', ofMembers]);
});

test('the door of a closed wall says whose it is, who may come and whom to ask; newcomers say so, or come with a code', async () => {
  await using wall = await openStory('sqlite', { APP_NAME: 'Дом 12', CONTACT: 'mailto:dom12@example.org' });
  const owner = await enter(wall, 'anna_k', 'owner');
  await owner.open('/keep?part=about');
  await owner.send('Сохранить', { 'Для кого и о чём, одной строкой': 'Соседи' });
  await admin(wall.db, 'registration', 'members', '--reason', 'свои');
  await owner.open('/keep?part=people');
  await owner.send('Сохранить', { 'Участники: без входа видны только вход и тексты о стене': true });
  const [invite, another] = [await newCode(wall), await newCode(wall)];
  const visitor = await openSignIn(wall);
  for (const path of ['/', '/following', `/posts/${wall.world.postId}`]) {
    await visitor.open(path);
    await visitor.says(
      /Дом 12 ?Соседи ?Читают только участники\. ?Войти ?У меня есть приглашение ?Кому писать: dom12@example\.org/,
    );
    assert.ok(visitor.page().document.querySelector('main [data-bare]'), path);
    assert.equal(visitor.page().document.querySelectorAll('h1').length, 1, path);
  }
  await visitor.open('/rules');
  assert.equal(visitor.page().document.querySelector('[data-bare]'), null);
  await visitor.open(`/join/${invite}`);
  assert.ok(visitor.page().document.querySelector('main [data-bare]'));
  await visitor.says(/Дом 12 ?Соседи/);
  assert.doesNotMatch(await visitor.text(), /Сначала посмотреть/);

  await visitor.open('/');
  await visitor.follow('У меня есть приглашение');
  await visitor.says(/Дом 12 ?Соседи.*Читают только участники\. Кому писать: dom12@example\.org/);
  await visitor.send('Получить код', { [address]: wall.email });
  assert.doesNotMatch(await visitor.text(), /ещё нет/);
  await visitor.send('Я здесь впервые');
  await visitor.send('Продолжить', { [code]: invite });
  assert.doesNotMatch(await visitor.text(), /Я здесь впервые/);
  await visitor.entersWith(wall.email);
  const second = await openSignIn(wall);
  await second.send('Получить код', { [address]: `second-${wall.email}`, [code]: another });
  assert.doesNotMatch(await second.text(), /Я здесь впервые/);
  await second.entersWith(`second-${wall.email}`);
});

test('the sign-in leads to no other site', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/a\nb']) {
    await browser.open(`/sign-in?${new URLSearchParams({ next })}`);
    assert.equal(browser.page().document.querySelector('main a')!.getAttribute('href'), '/', next);
  }
});

test('a registration needs the consent that the wall asks for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(join(folder, 'consent.md'), '# Согласие');
  await using wall = await openStory('sqlite', { PAGES_DIR: folder });
  const browser = await openSignIn(wall);
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить');
  assert.match(await browser.text(), /Без согласия зарегистрироваться нельзя/);
  await browser.send('Продолжить', { 'Я согласен(на) на обработку персональных данных': true });
  await browser.entersWith(wall.email);
  await rm(folder, { recursive: true });
});

test('a session in use lives on, and reading writes to it at most once a day', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const active = async () => (await wall.db.read.selectFrom('sessions').selectAll().execute())[0]!;
  const newCookies = () =>
    browser
      .page()
      .headers.getSetCookie()
      .filter((line) => line.startsWith('session='));
  const before = await active();
  await browser.open('/notifications');
  assert.deepEqual(await active(), before);
  assert.equal(newCookies().length, 0);
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
  assert.equal(newCookies().length, 1);
});

test('a page names the reason of a block, and what was typed is kept', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  await browser.open('/new');
  const form = browser.formOf('Опубликовать', { 'Текст записи': 'Не успел' });
  await admin(wall.db, 'block', 'anna_k', '--reason', 'спам');
  assert.equal((await browser.post(form)).status, 303);
  assert.ok(!(await textsOf(wall)).includes('Не успел'));
  await browser.open(`/posts/${wall.world.postId}/reply`);
  assert.equal(browser.page().status, 403);
  assert.match(browser.page().body, /заблокирована[^]*спам/);
  await admin(wall.db, 'unblock', 'anna_k', '--reason', 'ошибка');
  // The block has ended the session, and a visitor is somebody else.
  await browser.open('/new');
  assert.equal(browser.valueOf('text'), '');
  browser.cookies.set('session', (await wall.world.seed.session(browser.id)).cookie);
  await browser.open('/new');
  assert.equal(browser.valueOf('text'), 'Не успел');
});

test('the link of an empty wall leads a visitor through the registration and makes them its owner', async () => {
  await using wall = await openStory('sqlite');
  const browser = openTextBrowser(wall.url);
  await reads(browser, '/owner/1.x', /не существует/);
  const until = String(Math.floor(Date.now() / 1_000) + 60);
  const path = `/owner/${until}.${makeSecrets(SECRET).sign('owner link', until)}`;
  await browser.open(path);
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  assert.equal(await browser.path(), '/keep?step=about');
  assert.match(await browser.text(), /1 из 5/);
  await reads(browser, path, /не существует/);
});

test('whoever is signed in already becomes the owner with one button', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const until = String(Math.floor(Date.now() / 1_000) + 60);
  await reads(browser, `/owner/${until}.${makeSecrets(SECRET).sign('owner link', until)}`, /Вы вошли как anna_k@/);
  await browser.send('Стать владельцем');
  assert.equal(await browser.path(), '/keep?step=about');
});

test('the pages of keepers are missing for everybody else, and there for them', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const status = async (path: string) => {
    await browser.open(path);
    return browser.page().status;
  };
  const forAll = ['/moderation', '/moderation/people', '/moderation/people/anna_k', '/moderation/acts/block?of=anna_k'];
  const forOwners = ['/keep', '/moderation/acts/appoint?of=anna_k'];
  const paths = [...forAll, ...forOwners];
  const all = async (look: (path: string) => Promise<number>) => {
    const statuses = new Set<string>();
    for (const path of paths) statuses.add(`${forOwners.includes(path) ? 'owners' : 'all'} ${await look(path)}`);
    return [...statuses].join();
  };
  const visited = async (path: string) => {
    const response = await fetch(wall.url + path);
    // The response does not reveal that the page exists for somebody.
    assert.doesNotMatch(await response.text(), /Нужно войти/, path);
    return response.status;
  };
  assert.equal(await all(visited), 'all 404,owners 404');
  assert.equal(await all(status), 'all 404,owners 404');
  assert.match(await browser.text(), /не существует/);
  const { id } = await wall.world.whoIs('anna_k@example.org');
  await wall.world.seed.appoint({ id, name: 'anna_k' });
  assert.equal(await all(status), 'all 200,owners 404');
  await wall.world.seed.appoint({ id, name: 'anna_k' }, 'owner');
  assert.equal(await all(status), 'all 200,owners 200');
});

test('a link leads a visitor to the account, and somebody who is signed in to another one instead of theirs', async () => {
  await using wall = await openStory('sqlite');
  const { seed, whoIs } = wall.world;
  const [boris, clara] = [await seed.imported('boris_schukin'), await seed.imported('clara_k')];
  await seed.name(boris.id, 'Борис Щукин');
  const browser = openTextBrowser(wall.url);
  await reads(browser, `/claim/${boris.code}`, /0 записей и 0 ответов человека по имени Борис Щукин/);
  await browser.send('Получить код', { 'Электронная почта': 'не адрес' });
  assert.match(await browser.text(), /Введите корректный email/);
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  assert.equal(await browser.path(), `/claim/${boris.code}`);
  assert.match(await browser.text(), /Теперь это ваше/);
  assert.equal((await whoIs(wall.email)).id, boris.id);

  await reads(browser, `/claim/${clara.code}`, /Вы вошли как boris_schukin/);
  await browser.send('Это я, забрать');
  assert.match(await browser.text(), /Теперь это ваше[^]*Это ваша страница: \/users\/clara_k/);
  assert.equal((await whoIs(wall.email)).id, clara.id);

  const late = openTextBrowser(wall.url);
  await reads(late, `/claim/${clara.code}`, /По этой ссылке уже кто-то пришёл/);
  await late.open(`/claim/${clara.code}x`);
  assert.equal(late.page().status, 404);
});

onWalls()('a page renews the cookie of a session daily, unless that has just ended', async (wall) => {
  const member = await register(wall);
  const open = async () => {
    const session = member.cookies.get('session')!;
    const { headers } = await wall.app.inject({ url: '/new', cookies: { session } });
    return [headers['set-cookie'] ?? []].flat().some((line) => line.startsWith(`session=${session};`));
  };
  assert.equal(await open(), false);
  wall.clock.now += 86_400;
  await wall.db.catchUp();
  assert.equal(await open(), true);
  assert.equal(await open(), false);
  wall.clock.now += 86_400;
  const tx = wall.db.tx.bind(wall.db);
  wall.db.tx = async (work) => {
    wall.db.tx = tx;
    assert.equal((await member.send('DELETE', '/sessions/current')).statusCode, 204);
    return tx(work);
  };
  assert.equal(await open(), false);
});
