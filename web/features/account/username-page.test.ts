import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';

const path = '/settings/account/username';
const refusal = () =>
  Response.json(
    { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' },
    { status: 429, headers: { 'retry-after': '300' } },
  );

async function openPage() {
  const page = await openOwnPage(path);
  const { screen } = page;
  const field = (await screen.findByRole('textbox', { name: 'Имя пользователя' })) as HTMLInputElement;
  const save = screen.main().getByRole<HTMLButtonElement>('button', { name: 'Сохранить' });
  return {
    ...page,
    field,
    save,
    checks: () => screen.network.requests.filter((request) => request.endsWith('/validation')),
    /** Types a name and lets the pause pass after which it is checked. */
    async type(text: string) {
      screen.fill(field, text);
      await screen.clock.advance(500);
    },
  };
}

const problemOf = (screen: Screen) => textOf(screen.main().queryByRole('alert'));
const noteOf = (screen: Screen) => screen.main().getAllByRole('status').map(textOf).join(' ');
const shows = (screen: Screen, text: string) => screen.until(() => assert.match(noteOf(screen), new RegExp(text)));
const reports = (screen: Screen, text: string) => screen.until(() => assert.equal(problemOf(screen), text));

test('an invalid username is rejected in the browser, without a request', async () => {
  await using page = await openPage();
  const { screen, field, save } = page;
  for (const [typed, error] of [
    ['', 'Введите имя пользователя'],
    ['abcd', 'Имя пользователя должно быть не меньше 5 символов'],
    ['x'.repeat(33), 'Имя пользователя должно быть не большое 32 символов'],
    ['anna k', 'Введите корректное имя пользователя'],
    ['аня', 'Введите корректное имя пользователя: латинскими буквами'],
  ] as const) {
    await page.type(typed);
    await reports(screen, error);
    assert.ok(save.disabled);
  }
  await page.type('anna_k');
  await reports(screen, '');
  assert.equal(field.value, 'anna_k');
  assert.ok(save.disabled);
  assert.deepEqual(page.checks(), []);
});

test('the server’s message for a taken username is shown', async () => {
  await using page = await openPage();
  await page.wall.person('boris_v');
  for (const [typed, message] of [
    ['BORIS_V', 'Это имя уже занято.'],
    ['admin', 'Это имя похоже на служебное. Выберите другое.'],
  ] as const) {
    await page.type(typed);
    await reports(page.screen, message);
    assert.ok(page.save.disabled);
  }
});

test('a slow check of a username shows progress and is cancelled by a newer one', async () => {
  await using page = await openPage();
  const { screen } = page;
  screen.network.intercept(/slow_name/, () => new Promise(() => {}));
  await page.type('slow_name');
  await shows(screen, 'Проверка имени пользователя\\.\\.\\.');
  await page.type('quick_name');
  await shows(screen, 'Имя пользователя свободно');
  assert.deepEqual(page.checks().length, 2);
});

test('a username taken between the check and the submission is reported', async () => {
  await using page = await openPage();
  const { wall, screen, save } = page;
  await page.type('vera_p');
  await shows(screen, 'Имя пользователя свободно');
  await wall.person('vera_p');
  await screen.click(save);
  await reports(screen, 'Это имя уже занято.');
  assert.ok(save.disabled);
});

test('a username is checked again when the network is back', async () => {
  await using page = await openPage();
  const { screen } = page;
  screen.network.setOnline(false);
  await page.type('vera_p');
  await screen.until(() => assert.match(problemOf(screen), /Нет соединения/));
  screen.network.setOnline(true);
  await shows(screen, 'Имя пользователя свободно');
});

test('a rate limit says when to retry, for the check of a username and for its submission', async () => {
  await using page = await openPage();
  const { screen, save } = page;
  const error = 'Слишком много запросов. Повторить можно через 5 мин.';
  const allowChecks = screen.network.intercept(/validation$/, refusal);
  await page.type('vera_p');
  await reports(screen, error);
  allowChecks();
  await screen.click(save);
  await shows(screen, 'Имя пользователя свободно');
  await screen.until(() => assert.ok(screen.focused() === save));
  const allowChanges = screen.network.intercept(/^PATCH .*\/profile$/, refusal);
  await screen.click(save);
  await reports(screen, error);
  allowChanges();
  await screen.click(save);
  await screen.until(() => screen.getByText('Имя изменено'));
});

test('a double click submits a username once', async () => {
  await using page = await openPage();
  const { screen, save } = page;
  await page.type('vera_p');
  await shows(screen, 'Имя пользователя свободно');
  save.click();
  save.click();
  await screen.until(() => screen.getByText('Имя изменено'));
  assert.equal(
    screen.network.requests.filter((request) => request.startsWith('PATCH') && request.endsWith('/profile')).length,
    1,
  );
  await screen.until(() => assert.deepEqual([screen.path(), screen.loads], ['/settings', []]));
});
