import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import { dialogLeft, openPage, reloadPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import {
  emailField,
  askForCode,
  button,
  codeField,
  dialog,
  newAddress,
  newPerson,
  openDialog,
  type Person,
  profileLink,
  removeCookies,
  restoreSession,
  signInButton,
  signOut,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, choose, toast } from './support/writing.ts';

test('buttons that need an account ask a visitor to sign in; Escape returns the focus', async ({ page, wall }) => {
  await openPage(page, '/');
  const card = cardOf(page, texts.discussed);
  const menu = card.getByRole('button', { name: 'Действия с записью' });
  for (const [opener, purpose, item] of [
    [page.getByRole('button', { name: 'Войти' }), ''],
    [page.getByRole('button', { name: 'Новая запись' }), 'Чтобы опубликовать запись, войдите. '],
    [card.getByRole('button', { name: 'Нравится' }), 'Чтобы поставить «Нравится», войдите. '],
    [card.getByRole('button', { name: 'Ответить' }), 'Чтобы ответить, войдите. '],
    [menu, 'Чтобы пожаловаться, войдите. ', 'Пожаловаться'],
    [menu, 'Чтобы следить за обсуждением, войдите. ', 'Следить за обсуждением'],
    [menu, 'Чтобы следить за автором, войдите. ', 'Следить за автором'],
    [menu, 'Чтобы не показывать автора, войдите. ', 'Не показывать автора'],
  ] as const) {
    await opener.click();
    if (item) await page.getByRole('menuitem', { name: item }).click();
    const dialog = page.getByRole('dialog', { name: 'Войти' });
    await expect(dialog).toBeVisible();
    await expect(emailField(page)).toBeFocused();
    await expect(emailField(page)).toHaveAccessibleDescription(
      `${purpose}Введите электронную почту: пришлём код для входа`,
    );
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
    await dialogLeft(page);
  }
});

test('the dialog traps the focus, closes by its cross and by a click beside it, and opens again', async ({ page }) => {
  await openPage(page, '/');
  const dialog = page.getByRole('dialog', { name: 'Войти' });
  const byCross = () => dialog.getByRole('button', { name: 'Закрыть' }).click();
  const beside = () => page.mouse.click(20, 300);
  for (const close of [byCross, byCross, beside, beside]) {
    await page.getByRole('button', { name: 'Войти' }).click();
    await expect(dialog).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
  }
  await page.getByRole('button', { name: 'Войти' }).click();
  await expect(dialog).toBeVisible();
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(() => document.activeElement!.matches('body *:not(dialog, dialog *)'));
    expect(outside).toBe(false);
  }
});

const problem = (page: Page) => dialog(page).getByRole('alert').filter({ hasText: /./ });

interface Awaited {
  person: Person;
  code: string;
}

async function awaitCode(page: Page, wall: Wall, mail: MailServer): Promise<Awaited> {
  const person = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, person.email);
  return { person, code: await mail.codeTo(person.email) };
}

test('an error stands four pixels below its field, for which the form grows; nothing above it moves', async ({
  page,
}) => {
  await openPage(page, '/sign-in');
  const submit = page.getByRole('main').getByRole('button', { name: 'Получить код' });
  const boxes = async () => [(await emailField(page).boundingBox())!, (await submit.boundingBox())!] as const;
  const [field, button] = await boxes();
  await emailField(page).fill('anna@example');
  await emailField(page).press('Enter');
  const error = page.getByRole('alert').filter({ hasText: 'Введите корректный email' });
  const { y, height } = (await error.boundingBox())!;
  const [fieldNow, buttonNow] = await boxes();
  expect(fieldNow).toEqual(field);
  expect(y - field.y - field.height).toBeCloseTo(4);
  expect(buttonNow.y - button.y).toBeCloseTo(height);
});

test('pasting finds the code in the surrounding text', async ({ page, context, wall, mail }) => {
  await context.grantPermissions(['clipboard-write']);
  const { person, code } = await awaitCode(page, wall, mail);
  const text = `код ${code.slice(0, 2)}-${code.slice(2, 4)} ${code.slice(4)}`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('ControlOrMeta+V');
  await expect(profileLink(page)).toHaveText(person.name);
});

test('the wait from a 429 response counts down without repeated announcements', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/429/);
  await page.route('**/api/v1/logins', (route) => {
    const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
    return route.fulfill({ status: 429, headers: { 'retry-after': '4' }, json });
  });
  await page.clock.install();
  await openDialog(page, wall.url);
  await emailField(page).fill(newAddress());
  // The token is computed when the browser is idle, and a stopped clock reports no idle time.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('client-token'))).not.toBeNull();
  await page.clock.pauseAt(Date.now() + 60_000);
  await button(page, 'Получить код').click();
  await expect(problem(page)).toContainText('через 4 сек.');
  await page.clock.runFor(2_000);
  await expect(problem(page)).toContainText('через 2 сек.');
  await expect(problem(page)).toMatchAriaSnapshot('- alert: Слишком много запросов. Повторить можно через 4 сек.');
  await page.clock.runFor(2_000);
  await expect(problem(page)).toContainText('Повторить можно уже сейчас.');
});

test('what a visitor had to sign in for is one tap away afterwards, and is not done by itself', async ({
  page,
  ownWall: wall,
  mail,
}) => {
  const [person, author] = [await newPerson(wall), await newPerson(wall)];
  await wall.seed.posts([{ by: author.id, text: 'Где пекарня?' }]);
  await openPage(page, wall.url);
  await choose(page, 'Где пекарня?', 'Следить за автором');
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  const offer = toast(page, 'Теперь можно следить за автором');
  await expect(offer).toBeVisible();
  const asked = callsOf(page, 'PUT', /\/follow$/);
  expect(asked).toHaveLength(0);
  await offer.getByRole('button', { name: 'Следить' }).click();
  await expect(toast(page, 'Вы следите за автором')).toBeVisible();
  await reloadPage(page);
  await expect(profileLink(page)).toBeVisible();
  await expect(offer).toHaveCount(0);
  expect(asked).toHaveLength(1);
});

const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0);

test.describe('while no other code is sent', () => {
  test.use({ settings: { CODE_RESEND_SECONDS: '3600' } });

  test('an address can be changed, and leads back to its code', async ({ page, ownWall: wall, mail }) => {
    await page.clock.install();
    const [mistaken, meant] = [await newPerson(wall), await newPerson(wall)];
    const asked = callsOf(page, 'POST', /\/logins$/);
    await openDialog(page, wall.url);
    await askForCode(page, mistaken.email);
    await button(page, 'Изменить адрес').click();
    await expect(emailField(page)).toHaveValue(mistaken.email);
    await askForCode(page, meant.email);
    await button(page, 'Изменить адрес').click();
    await askForCode(page, meant.email.toUpperCase());
    expect(asked).toHaveLength(2);

    await page.keyboard.press('Escape');
    await closed(page);
    await signInButton(page).click();
    await expect(codeField(page)).toBeFocused();
    await page.reload();
    await expect(codeField(page)).toBeFocused();
    await page.clock.fastForward('10:00');
    await openPage(page, wall.url);
    await closed(page);
    await signInButton(page).click();
    await askForCode(page, (await newPerson(wall)).email);
    await page.keyboard.press('Escape');
    await closed(page);
    await openPage(page, wall.url);
    await closed(page);

    await signInButton(page).click();
    const last = await newPerson(wall);
    await askForCode(page, last.email);
    await codeField(page).fill(await mail.codeTo(last.email));
    await expect(profileLink(page)).toHaveText(last.name);
  });
});

test('a code can be requested again after the countdown', async ({ page, wall }) => {
  await page.clock.install();
  await openDialog(page, wall.url);
  await askForCode(page, (await newPerson(wall)).email);
  const again = button(page, /^Отправить код ещё раз/);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  const [, seconds] = /через (\d+) сек\.$/.exec((await again.textContent())!)!;
  await expect(again).toBeDisabled();
  await page.clock.runFor((Number(seconds) - 2) * 1_000);
  await expect(again).toHaveText(/через [123] сек\.$/);
  await page.clock.runFor(3_000);
  await expect(again).toHaveText(/ещё раз$/);
  await expect(again).toBeEnabled();
});

test('what became of the mail is said, and stays until more is known', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/503/);
  let state = 'sending';
  await page.route('**/api/v1/mail/*', (route) =>
    state === 'unknown' ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ json: { state } }),
  );
  await openDialog(page, wall.url);
  const { email } = await newPerson(wall);
  await askForCode(page, email);
  const says = (text: string) => expect(dialog(page).getByRole('status').first()).toHaveText(text);
  await says('Отправляем письмо…');
  await expect(dialog(page)).toContainText(`Код придёт на ${email}`);
  await expect(dialog(page)).not.toContainText('Код отправлен');
  state = 'delayed';
  await says(
    'Письма сейчас не уходят: почтовый сервер их не принимает. Пробуем ещё: код придёт, как только получится.',
  );
  state = 'refused';
  await says('Этот адрес не принимает почту. Проверьте его.');
  await expect(dialog(page)).toContainText(`Не удалось отправить код на ${email}`);
  await expect(button(page, 'Изменить адрес')).toBeEnabled();

  state = 'accepted';
  await page.keyboard.press('Escape');
  await openPage(page, `${wall.url}/sign-in`);
  await emailField(page).fill((await newPerson(wall)).email);
  await page.getByRole('main').getByRole('button', { name: 'Получить код' }).click();
  await expect(page.getByRole('main')).toContainText('Код отправлен на');
  state = 'unknown';
  const asked = page.waitForResponse('**/api/v1/mail/*');
  await page.reload();
  await asked;
  await expect(page.getByRole('main')).toContainText(/Код придёт на .*Код — в теме письма/);
});

test('cookies that are not stored are reported before and after the code', async ({ page, context, wall, mail }) => {
  const text = /браузер не сохраняет cookie/;
  const { person, code } = await awaitCode(page, wall, mail);
  await page.route('**/verify', async (route) => {
    const response = await route.fetch();
    await context.clearCookies();
    await route.fulfill({ response, headers: { 'content-type': 'application/json' } });
  });
  await codeField(page).fill(code);
  await expect(problem(page)).toContainText(text);
  await expect(button(page, /^Отправить код ещё раз/)).toBeVisible();
  await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }));
  await page.keyboard.press('Escape');
  await openDialog(page, wall.url);
  await emailField(page).fill(person.email);
  await button(page, 'Получить код').click();
  await expect(problem(page)).toContainText(text);
});

test('an address names a layer that opens once, none of another site', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/401/);
  const person = await newPerson(wall);
  await restoreSession(page, wall, person);
  const open = (href: string) => openPage(page, `${wall.url}/?${new URLSearchParams({ layer: href })}`);
  await open('/new');
  await expect(page.getByRole('dialog', { name: 'Новая запись' })).toBeVisible();
  await expect(page).toHaveURL(`${wall.url}/`);
  for (const href of [
    '//evil.example/new',
    'https://evil.example/new',
    'http://[',
    '/users/anna_k',
    '/sign-in?next=https://evil.example',
  ]) {
    await open(href);
    await expect(page).toHaveURL(`${wall.url}/`);
    await closed(page);
  }
  // The flag remains, as after a session that ended while no page was open.
  await removeCookies(page, { name: 'session' });
  await page.goto(`${wall.url}/sign-in`);
  await expect(emailField(page)).toBeVisible();
});

test('with a clock that is an hour fast the token is not renewed all the time', async ({ page, ownWall }) => {
  await ownWall.seed.posts([{ by: await ownWall.seed.person('boris_petrov'), text: 'Запись' }]);
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await restoreSession(page, ownWall, await newPerson(ownWall));
  const renewals = callsOf(page, 'PATCH', /\/sessions\/current$/);
  await page.getByRole('link', { name: 'boris_petrov' }).first().click();
  await expect(page).toHaveTitle('boris_petrov - Стена');
  await signOut(page);
  expect(renewals).toEqual([]);
});
