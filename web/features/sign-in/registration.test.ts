import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  button,
  codeField,
  hasFocus,
  openSignIn,
  press,
  reports,
  shownName,
  signInDialog,
  signedInPage,
  submitAddress,
} from '../../../test/kit/screen/account.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { newAddress } from '../../../test/kit/sign-in.ts';

/** The step at which a new address is offered an account. */
async function openOffer(settings: NodeJS.ProcessEnv = {}) {
  const page = await openOwnPage('/', { asVisitor: true, settings });
  const { wall, screen } = page;
  const email = newAddress();
  const place = () => signInDialog(screen);
  await openSignIn(screen);
  await submitAddress(screen, email);
  const proceed = await button(place(), 'Продолжить');
  await screen.until(() => assert.ok(!proceed.disabled));
  return {
    ...page,
    email,
    place,
    proceed: () => press(screen, 'Продолжить', place()),
    async register(): Promise<Screen> {
      await press(screen, 'Продолжить', place());
      const entered = await signedInPage(wall, screen, email);
      assert.match(shownName(entered)!, /^user_[a-z0-9]{8}$/);
      return entered;
    },
  };
}

test('offline: an account cannot be created, and can be later', async () => {
  await using page = await openOffer();
  const { screen, place } = page;
  await hasFocus(screen, await button(place(), 'Продолжить'));
  screen.network.setOnline(false);
  await page.proceed();
  await reports(screen, 'Нет соединения. Проверьте сеть и попробуйте ещё раз.', place);
  screen.network.setOnline(true);
  await (await page.register()).close();
});

test('an address at a domain that is not accepted is reported, and another can be entered', async () => {
  await using page = await openOffer({ EMAIL_DOMAINS: 'allow:почта.рф' });
  const { screen, place } = page;
  await page.proceed();
  await reports(screen, /^Адреса этого почтового сервиса здесь не принимают/, place);
  await press(screen, 'Вернуться', place());
  await hasFocus(screen, await screen.findByRole('textbox', { name: 'Электронная почта' }));
});

test('a consent that has changed or come up meanwhile is asked for again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await using page = await openOffer({ PAGES_DIR: folder });
  const { wall, screen, place } = page;
  const box = () => place().queryByRole<HTMLInputElement>('checkbox', { name: /^Я согласен\(на\) на / });
  assert.equal(box(), null);
  for (const [title, message] of [
    ['Согласие', /Чтобы зарегистрироваться, дайте согласие/],
    ['Другое согласие', /изменился\. Прочитайте/],
  ] as const) {
    await writeFile(join(folder, 'consent.md'), `# ${title}`);
    await screen.until(async () => assert.equal((await wall.get('/api/v1/documents/consent')).json?.title, title));
    await page.proceed();
    await reports(screen, message, place);
    assert.ok(!box()!.checked);
    await screen.click(box()!);
  }
  await (await page.register()).close();
  await rm(folder, { recursive: true });
});

test('asks for an invite code where registration needs one, and keeps one that does not fit', async () => {
  await using page = await openOffer();
  const { wall, screen, place } = page;
  await wall.operator('registration', 'invite', '--reason', 'набежали');
  const [code] = /[A-Z0-9]{5}-[A-Z0-9]{5}/.exec(await wall.operator('invite', '--reason', 'для Анны'))!;
  await page.proceed();
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Код приглашения' });
  await hasFocus(screen, field);
  assert.ok((await button(place(), 'Продолжить')).disabled);
  screen.fill(field, 'ABCDE-ABCDE');
  screen.press('Enter');
  await reports(screen, /Код приглашения не подошёл/, place);
  assert.equal(field.value, 'ABCDE-ABCDE');
  screen.fill(field, ` ${code.replace('-', ' ').toLowerCase()} `);
  screen.press('Enter');
  await hasFocus(screen, await codeField(screen));
  await (await signedInPage(wall, screen, page.email)).close();
});

test('before the address is asked for, says who may come, with a field for the code', async () => {
  await using page = await openOwnPage('/', {
    asVisitor: true,
    prepare: ({ operator }) => operator('registration', 'members', '--reason', 'свои'),
  });
  const { wall, screen } = page;
  const place = () => signInDialog(screen);
  const [code] = /[A-Z0-9]{5}-[A-Z0-9]{5}/.exec(await wall.operator('invite', '--reason', 'для Анны'))!;
  const address = await openSignIn(screen);
  await screen.until(() => place().getByText(/^Впервые здесь\? Регистрируют по приглашениям участников/));
  // The field has come later and does not take the focus.
  await hasFocus(screen, address);
  screen.fill(await screen.findByRole('textbox', { name: 'Код приглашения' }), code);
  const email = newAddress();
  await submitAddress(screen, email);
  await screen.until(() => place().getByText(/код, который вам дал участник стены/));
  assert.equal((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Код приглашения' })).value, code);
  await press(screen, 'Продолжить', place());
  await (await signedInPage(wall, screen, email)).close();
});

test('says that nobody may come, and lets those in who are here', async () => {
  await using page = await openOwnPage('/', {
    asVisitor: true,
    prepare: ({ operator }) => operator('registration', 'closed', '--reason', 'свои'),
  });
  const { wall, screen, person } = page;
  const place = () => signInDialog(screen);
  await openSignIn(screen);
  await screen.until(() => place().getByText(/^Новых учётных записей здесь сейчас не заводят/));
  assert.equal(place().queryByRole('textbox', { name: 'Код приглашения' }), null);
  await submitAddress(screen, newAddress());
  await reports(screen, /Учётной записи с таким адресом нет/, place);
  await submitAddress(screen, person.email);
  await (await signedInPage(wall, screen, person.email)).close();
});
