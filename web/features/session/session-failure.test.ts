import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFocus, shownName } from '../../../test/kit/screen/account.ts';
import { cardOf, formClosed, openComposer, textField } from '../../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';

const failures = {
  'a server error': () => Response.json({}, { status: 500 }),
  'a dropped connection': () => {
    throw new TypeError('reset');
  },
};

/** A page of a signed-in person whose session cannot be loaded. */
async function openFailing(path: string, respond: () => Response = failures['a server error']) {
  const page = await openOwnPage('/', {
    prepare: async ({ seed }) => seed.posts([{ by: await seed.person('boris_petrov'), text: 'Запись' }]),
  });
  let repair = () => {};
  const screen = await page.screen.reload(path, ({ network }) => {
    repair = network.intercept(/\/sessions\/current$/, respond);
  });
  return { ...page, screen, repair, [Symbol.asyncDispose]: async () => (await screen.close(), page.wall.close()) };
}

/** Waits while the app tries again from time to time. */
const later = (screen: Screen, check: () => unknown) =>
  screen.until(async () => {
    await screen.clock.advance(1_000);
    check();
  });

const lines = (screen: Screen) =>
  screen.queryAllByRole('status').filter((each) => textOf(each).startsWith('Профиль не загрузился'));
const reportsFailure = (screen: Screen) => later(screen, () => assert.equal(lines(screen).length, 1));
const retry = (screen: Screen) => screen.main().getByRole('button', { name: 'Повторить' });

for (const [what, respond] of Object.entries(failures)) {
  test(`the page is shown as to a visitor, reports the failure and recovers on a click, after ${what}`, async () => {
    await using page = await openFailing('/', respond);
    const { screen } = page;
    await reportsFailure(screen);
    await screen.click(cardOf(screen, 'Запись').getByRole('button', { name: 'Нравится' }));
    await screen.findByRole('dialog', { name: /^Войти/ });
    screen.press('Escape');
    await formClosed(screen);
    await screen.click(screen.main().getByRole('link', { name: 'boris_petrov' }));
    await screen.until(() => assert.equal(screen.window.document.title, 'boris_petrov - Стена'));
    assert.notEqual(screen.window.localStorage.getItem('signed-in'), null);

    page.repair();
    await screen.click(retry(screen));
    await screen.until(() => assert.equal(shownName(screen), page.person.name));
    assert.deepEqual(lines(screen), []);
    assert.ok(screen.banner().queryByRole('button', { name: 'Войти' }) === null);
  });
}

test('a page of the person’s own reports that the session cannot be loaded, and loads by itself later', async () => {
  await using page = await openFailing('/liked');
  const { screen } = page;
  await later(screen, () => screen.getByRole('heading', { name: 'Не удалось загрузить' }));
  assert.equal(screen.window.document.title, 'Понравившиеся - Стена');
  await screen.click(retry(screen));
  await screen.until(() => assert.equal(retry(screen).getAttribute('aria-busy'), 'false'));
  assert.deepEqual(lines(screen), []);
  page.repair();
  await later(screen, () => screen.getByRole('heading', { name: 'Записи не найдены' }));
  assert.equal(shownName(screen), page.person.name);
});

test('an action started meanwhile continues once the session is loaded', async () => {
  await using page = await openFailing('/');
  const { screen } = page;
  await reportsFailure(screen);
  await openComposer(screen);
  await screen.findByRole('dialog', { name: /^Войти/ });
  page.repair();
  await later(screen, () => assert.ok(screen.queryByRole('dialog', { name: /^Войти/ }) === null));
  await hasFocus(screen, await textField(screen));
});
