import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#contract/sessions.ts';
import { button, hasFocus, press, shownName, signInAs } from '../../../test/kit/screen/account.ts';
import { callsOf, decide, formClosed, toast } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { openBrowser } from '../../../test/kit/sign-in.ts';

const path = '/settings/devices';
const firefox: Device = { userAgent: 'Firefox', userAgentVersion: '145.0.1', os: 'Ubuntu 24.04' };
const safari: Device = { userAgent: 'Safari', userAgentVersion: '26.1', os: 'iOS 26.1' };

/** The page of a person who is also signed in on these devices. */
async function openDevices(devices: Device[] = [firefox, safari]) {
  const tokens: string[] = [];
  const page = await openOwnPage(path, {
    async prepare({ seed, me }) {
      for (const device of devices) tokens.push((await seed.session(me, device)).token);
    },
  });
  await page.screen.findByRole('heading', { name: 'Другие сеансы' });
  const away = tokens.map((token) => Object.assign(openBrowser(page.wall), { token }));
  const isOpen = async (index: number) => (await away[index]!.send('GET', '/users/current')).statusCode === 200;
  return { ...page, away, isOpen };
}

const section = (screen: Screen, name: string) => screen.getByRole('region', { name });
const others = (screen: Screen) => queriesIn(section(screen, 'Другие сеансы')).queryAllByRole('listitem');
const hasOthers = (screen: Screen, names: string[]) =>
  screen.until(() =>
    assert.deepEqual(
      others(screen).map((each) => /^\S+ \d+/.exec(textOf(each))?.[0]),
      names,
    ),
  );
const choose = async (screen: Screen, name: string) =>
  screen.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }));

test('the current session comes first and cannot be selected', async () => {
  await using page = await openDevices();
  const { screen } = page;
  assert.equal(screen.window.document.title, 'Устройства - Стена');
  const current = section(screen, 'Текущий сеанс');
  assert.match(textOf(current), /Chrome 142Windows 11 · Сейчас/);
  assert.match(textOf(current), /Вход \d+ [а-я]+, \d\d:\d\d/);
  assert.ok(queriesIn(current).queryByRole('button') === null);
  const [first, last] = others(screen).map(textOf);
  assert.match(first!, /^Safari 26iOS 26\.1 · Активность только что/);
  assert.match(last!, /^Firefox 145Ubuntu 24\.04 · Активность только что/);
});

test('a session shows its details and is ended once', async () => {
  await using page = await openDevices();
  const { screen } = page;
  await choose(screen, 'Firefox 145');
  const details = await screen.findByRole('dialog', { name: 'Сеанс' });
  const terms = [...details.querySelectorAll('dt')].map((term) => [textOf(term), textOf(term.nextElementSibling)]);
  assert.match(Object.fromEntries(terms)['Вход'], /^\d+ [а-я]+, \d\d:\d\d$/);
  assert.deepEqual(
    terms.filter(([term]) => term !== 'Вход'),
    [
      ['Браузер', 'Firefox'],
      ['Версия', '145.0.1'],
      ['Система', 'Ubuntu 24.04'],
      ['Активность', 'только что'],
    ],
  );
  const end = await button(screen.dialog(), 'Завершить сеанс');
  await screen.click(end);
  end.click();
  await toast(screen, 'Сессия завершена');
  await formClosed(screen);
  await hasOthers(screen, ['Safari 26']);
  await hasFocus(screen, screen.getByRole('heading', { name: 'Другие сеансы' }));
  assert.equal(callsOf(screen, /^DELETE .*\/sessions\//).length, 1);
  assert.deepEqual([await page.isOpen(0), await page.isOpen(1)], [false, true]);
});

test('all other sessions end after a confirmation', async () => {
  await using page = await openDevices();
  const { screen: first } = page;
  const closeOthers = await button(first.main(), 'Завершить другие сеансы');
  await first.click(closeOthers);
  await first.findByRole('dialog', { name: 'Завершить другие сеансы?' });
  await decide(first, 'Отмена');
  await formClosed(first);
  await hasOthers(first, ['Safari 26', 'Firefox 145']);
  assert.ok(await page.isOpen(1));

  await first.click(closeOthers);
  await decide(first, 'Завершить');
  await toast(first, 'Сессии завершены');
  await first.findByText('Других сеансов нет');
  assert.ok(first.main().queryByRole('button', { name: 'Завершить другие сеансы' }) === null);
  assert.deepEqual([await page.isOpen(0), await page.isOpen(1)], [false, false]);
  await using screen = await first.reload();
  await screen.findByText('Других сеансов нет');
});

test('a failure to end a session is shown in the dialog; one that has ended leaves the list', async () => {
  await using page = await openDevices();
  const { screen } = page;
  screen.network.loseNext(/^DELETE .*\/sessions\/\d+$/);
  await choose(screen, 'Safari 26');
  await decide(screen, 'Завершить сеанс');
  await screen.until(() => assert.match(textOf(screen.dialog().getByRole('alert')), /Нет соединения/));
  await decide(screen, 'Завершить сеанс');
  await toast(screen, 'Этот сеанс уже был завершён');
  await hasOthers(screen, ['Firefox 145']);
});

test('a failure is shown as a toast when the dialog has been closed', async () => {
  await using page = await openDevices();
  const { screen } = page;
  const response = Promise.withResolvers<Response>();
  screen.network.intercept(/^DELETE .*\/sessions$/, () => response.promise);
  await press(screen, 'Завершить другие сеансы');
  await decide(screen, 'Завершить');
  screen.press('Escape');
  await formClosed(screen);
  response.resolve(Response.json({ code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' }, { status: 503 }));
  await toast(screen, 'Сервис временно недоступен.');
  await hasOthers(screen, ['Safari 26', 'Firefox 145']);
});

test('sessions that fail to load can be asked for again, and are read again on return', async () => {
  await using page = await openOwnPage('/settings');
  const { wall, screen, person } = page;
  const restore = screen.network.intercept(/^GET .*\/sessions$/, () => {
    throw new TypeError('reset');
  });
  await screen.click(await screen.main().findByRole('link', { name: 'Устройства' }));
  await screen.main().findByRole('heading', { name: 'Не удалось загрузить' });
  restore();
  await press(screen, 'Повторить');
  await screen.findByText('Других сеансов нет');

  await wall.seed.session(person.id, firefox);
  screen.window.document.dispatchEvent(new screen.window.Event('visibilitychange'));
  await hasOthers(screen, ['Firefox 145']);
});

test('a session that was ended elsewhere leads from the devices to the feed', async () => {
  await using page = await openDevices();
  const { screen } = page;
  assert.equal((await page.away[1]!.send('DELETE', '/sessions')).statusCode, 204);
  await choose(screen, 'Safari 26');
  await decide(screen, 'Завершить сеанс');
  await button(screen.banner(), 'Войти');
  await screen.until(() => assert.equal(screen.path(), '/'));
  assert.equal(shownName(screen), undefined);
  assert.ok(await page.isOpen(1));
});

test('the mail about a new device links to its session', async () => {
  await using page = await openOwnPage('/', { asVisitor: true, settings: { CODE_RESEND_SECONDS: '0' } });
  const { wall, person } = page;
  const notice = () => wall.mail.mailTo(person.email, ({ text }) => text.includes('нового устройства'));
  const signIn = async (screen: Screen, isKnown = false) => {
    await press(screen, 'Войти', isKnown ? screen.main() : screen.banner());
    return signInAs(screen, wall, person.email);
  };
  await (await signIn(page.screen)).close();
  await notice();
  await using away = await openScreen(wall, '/', { stored: { 'client-token': 'another' } });
  await (await signIn(away)).close();
  const { text } = await notice();
  assert.match(text, /нового устройства: Chrome 142, Linux\./);
  const [link] = /https?:\S+/.exec(text)!;
  assert.equal(new URL(link).pathname, path);

  await using third = await openScreen(wall, path, { stored: { 'client-token': 'third' } });
  await using screen = await signIn(third, true);
  assert.equal(shownName(screen), person.name);
  await screen.until(() => assert.match(textOf(section(screen, 'Текущий сеанс')), /Сейчас/));
  await hasOthers(screen, ['Chrome 142', 'Chrome 142']);
});
