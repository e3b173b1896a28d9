import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { card, formClosed } from '../../../test/kit/screen/posts.ts';
import { chooseView, options, showsPath, switcher, titleOf, views } from '../../../test/kit/screen/views.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { shownName, signInAs } from '../../../test/kit/screen/account.ts';
import type { Screen } from '../../../test/kit/screen/open-screen.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';

/** The feed with one post, for a visitor or for its author. */
const openFeed = ({ isMember = false } = {}) =>
  openOwnPage('/', {
    asVisitor: !isMember,
    prepare: ({ seed, me }) => seed.posts([{ by: me, text: 'Какую книгу вы перечитываете?' }]),
  });

const isFocused = (screen: Screen, element: Element): void =>
  assert.ok(screen.focused() === element, `no focus: ${element.outerHTML}`);
const isActive = (screen: Screen, name: string): Promise<void> =>
  screen.until(() => {
    const active = screen.getByRole('option', { selected: true });
    assert.equal(textOf(active), name);
    assert.equal(switcher(screen).getAttribute('aria-activedescendant'), active.id);
  });
const isClosed = (screen: Screen): Promise<void> =>
  screen.until(() => {
    assert.deepEqual(options(screen), []);
    assert.equal(switcher(screen).getAttribute('aria-expanded'), 'false');
  });
const type = (screen: Screen, letters: string): void => {
  for (const key of letters) screen.press(key);
};

test('the switcher shows the current view and offers the other three', async () => {
  await using page = await openFeed({ isMember: true });
  const { screen } = page;
  for (const name of [...views.slice(1), 'Новые']) {
    await chooseView(screen, name);
    await screen.until(() => assert.equal(titleOf(screen), name === 'Новые' ? 'Стена' : name));
    await isClosed(screen);
    assert.equal(textOf(switcher(screen)), name);
    await screen.click(switcher(screen));
    assert.deepEqual(
      options(screen),
      views.filter((view) => view !== name),
    );
    screen.press('Escape');
  }
  await showsPath(screen, '/');
});

test('only the views have a switcher, and only the feed is current in the navigation bars', async () => {
  await using page = await openFeed({ isMember: true });
  const { screen } = page;
  const links = () =>
    screen.getAllByRole('navigation').flatMap((bar) => queriesIn(bar).queryAllByRole('link', { name: 'Лента' }));
  const current = () => links().map((link) => link.getAttribute('aria-current'));
  assert.ok(links().length > 0);
  assert.ok(current().every((state) => state === 'page'));
  await chooseView(screen, 'Понравившиеся');
  await screen.until(() => assert.equal(titleOf(screen), 'Понравившиеся'));
  assert.ok(current().every((state) => state === null));
  await screen.click(links()[0]!);
  await screen.until(() => card(screen, 'Какую книгу'));
  await screen.click(card(screen, 'Какую книгу').querySelector('time')!);
  await screen.until(() => assert.equal(titleOf(screen), 'Запись'));
  assert.equal(screen.queryByRole('combobox', { name: 'Лента' }), null);
});

test('a click opens and closes the switcher, and a click outside closes it', async () => {
  await using page = await openFeed();
  const { screen } = page;
  await screen.click(switcher(screen));
  await screen.until(() => assert.equal(switcher(screen).getAttribute('aria-expanded'), 'true'));
  await screen.click(switcher(screen));
  await isClosed(screen);
  await screen.click(switcher(screen));
  await screen.until(() => assert.equal(options(screen).length, 3));
  await screen.click(screen.getByRole('main'));
  await isClosed(screen);
  assert.equal(screen.path(), '/');
});

for (const [name, key, active] of [
  ['ArrowDown', 'ArrowDown', 'Понравившиеся'],
  ['ArrowUp', 'ArrowUp', 'Понравившиеся'],
  ['Enter', 'Enter', 'Понравившиеся'],
  ['Space', ' ', 'Понравившиеся'],
  ['Home', 'Home', 'Понравившиеся'],
  ['End', 'End', 'Мои ответы'],
] as const) {
  test(`${name} opens the switcher`, async () => {
    await using page = await openFeed();
    switcher(page.screen).focus();
    page.screen.press(key);
    await isActive(page.screen, active);
    isFocused(page.screen, switcher(page.screen));
  });
}

test('arrows, Home and End move in the list of views and stop at its ends', async () => {
  await using page = await openFeed();
  switcher(page.screen).focus();
  for (const [key, name] of [
    ['ArrowDown', 'Понравившиеся'],
    ['ArrowDown', 'Мои записи'],
    ['ArrowDown', 'Мои ответы'],
    ['ArrowDown', 'Мои ответы'],
    ['Home', 'Понравившиеся'],
    ['ArrowUp', 'Понравившиеся'],
    ['End', 'Мои ответы'],
    ['ArrowUp', 'Мои записи'],
  ] as const) {
    page.screen.press(key);
    await isActive(page.screen, name);
  }
});

test('a letter selects a view; repeated letters cycle through views with the same initial', async () => {
  await using page = await openFeed();
  const { screen } = page;
  switcher(screen).focus();
  for (const [letter, name, pause] of [
    ['м', 'Мои записи', 0],
    ['м', 'Мои ответы', limits.typeaheadMs + 50],
    ['П', 'Понравившиеся', 0],
  ] as const) {
    type(screen, letter);
    await isActive(screen, name);
    await screen.clock.advance(pause);
  }
});

test('several letters form a search string, which may contain a space', async () => {
  await using page = await openFeed();
  switcher(page.screen).focus();
  type(page.screen, 'мои о');
  await isActive(page.screen, 'Мои ответы');
  assert.equal(page.screen.path(), '/');
});

test('after a pause the search of views starts again, and the space bar selects', async () => {
  await using page = await openFeed();
  const { screen } = page;
  switcher(screen).focus();
  type(screen, 'м');
  await screen.clock.advance(limits.typeaheadMs + 50);
  type(screen, 'п');
  await isActive(screen, 'Понравившиеся');
  await screen.clock.advance(limits.typeaheadMs + 50);
  screen.press(' ');
  await screen.findByRole('dialog', { name: /^Войти/ });
});

test('the switcher does not intercept browser shortcuts', async () => {
  await using page = await openFeed();
  const { screen } = page;
  switcher(screen).focus();
  screen.press('x', { altKey: true });
  screen.press('ArrowDown', { ctrlKey: true });
  assert.deepEqual(options(screen), []);
  screen.press('ArrowDown');
  await isActive(screen, 'Понравившиеся');
});

for (const [name, key] of [
  ['Enter', 'Enter'],
  ['Space', ' '],
] as const) {
  test(`${name} selects a view, without a mouse`, async () => {
    await using page = await openFeed({ isMember: true });
    const { screen } = page;
    switcher(screen).focus();
    for (const each of ['ArrowDown', 'ArrowDown', key]) {
      screen.press(each);
      if (each !== key) await screen.until(() => screen.getByRole('option', { selected: true }));
    }
    await screen.until(() => assert.equal(titleOf(screen), 'Мои записи'));
    await screen.until(() => isFocused(screen, screen.getByRole('main', { name: 'Мои записи - Стена' })));
    await isClosed(screen);
    assert.deepEqual(screen.loads, []);
  });
}

test('a visitor who selects a private list signs in and arrives there', async () => {
  await using page = await openFeed();
  await chooseView(page.screen, 'Мои ответы');
  await using screen = await signInAs(page.screen, page.wall, page.person.email);
  await screen.until(() => assert.equal(titleOf(screen), 'Мои ответы'));
  await showsPath(screen, '/own/replies');
  assert.equal(shownName(screen), page.person.name);
});

test('a visitor who cancels the sign-in for a private list stays on the page', async () => {
  await using page = await openFeed();
  const { screen } = page;
  await chooseView(screen, 'Понравившиеся');
  await screen.findByRole('dialog', { name: /^Войти/ });
  screen.press('Escape');
  await formClosed(screen);
  await showsPath(screen, '/');
});
