import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import {
  callsOf,
  cardOf,
  cards,
  choose,
  decide,
  formClosed,
  hasTexts,
  inlineForm,
  openComposer,
  textField,
  write,
} from '../../../../test/kit/screen/posts.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';

const question = 'Кто знает пекарню?';
const suggestions = /^GET .*\/users\/suggestions/;

/** A discussion of two people, one of them with a display name, on a wall with a third. */
async function openQuestion() {
  const wall = await openSeeded();
  const [galina, anya] = [await wall.person('galina_m'), await wall.person('winter')];
  await wall.person('gleb_s');
  await wall.seed.name(anya, 'Аня');
  const [id] = await wall.seed.posts([
    { by: galina, text: question, age: 60 },
    { by: wall.me, text: 'Моя запись', age: 50 },
  ]);
  await wall.seed.replies(id!, [{ by: anya, text: 'На углу', age: 30 }]);
  return { ...wall, id: id! };
}

const shown = (screen: Screen): string[] => screen.queryAllByRole('option').map(textOf);

const shows = (screen: Screen, names: string[]): Promise<void> =>
  screen.until(() => assert.deepEqual(shown(screen), names));

const answer = async (screen: Screen): Promise<void> =>
  screen.click(await screen.until(() => cardOf(screen, question).getByRole('button', { name: /^Ответить/ })));

/** The option that a key would take, as assistive technology finds it. */
async function activeOption(screen: Screen): Promise<string> {
  const id = (await textField(screen)).getAttribute('aria-activedescendant');
  return textOf(screen.window.document.getElementById(id!) as unknown as Element);
}

/** Waits until nothing is asked for any more, also after the pause in typing. */
async function settle(screen: Screen): Promise<void> {
  await screen.clock.advance(1_000);
  await screen.until(() => assert.equal(screen.network.withoutResponse(), 0));
}

test('an @ in a reply suggests the people of the discussion; Enter takes one', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await answer(screen);
  await write(screen, 'Эй, @');
  await shows(screen, ['Аня@winter', '@galina_m']);
  const field = await textField(screen);
  const list = screen.getByRole('listbox', { name: 'Кого упомянуть' });
  assert.equal(field.getAttribute('aria-controls'), list.id);
  assert.equal(await activeOption(screen), 'Аня@winter');
  await write(screen, 'Эй, @g');
  await shows(screen, ['@galina_m', '@gleb_s']);
  screen.press('Enter');
  assert.equal(field.value, 'Эй, @galina_m ');
  assert.equal(field.selectionEnd, field.value.length);
  assert.deepEqual([shown(screen), field.getAttribute('aria-controls')], [[], null]);
});

test('arrows choose, Tab takes, and a display name is found by its letters', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, `/posts/${wall.id}`, { as: wall.me });
  await answer(screen);
  await write(screen, '@');
  await shows(screen, ['Аня@winter', '@galina_m']);
  for (const [key, active] of [
    ['ArrowDown', '@galina_m'],
    ['ArrowDown', 'Аня@winter'],
    ['ArrowUp', '@galina_m'],
  ] as const) {
    screen.press(key);
    assert.equal(await activeOption(screen), active);
  }
  screen.press('Tab');
  const field = await textField(screen);
  assert.equal(field.value, '@galina_m ');
  assert.ok(screen.focused() === field);
  await write(screen, '@galina_m и @АН');
  await shows(screen, ['Аня@winter']);
  screen.press('Enter');
  assert.equal(field.value, '@galina_m и @winter ');
});

test('a click takes a person and leaves the focus in the text', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await openComposer(screen);
  await write(screen, '@gle');
  await shows(screen, ['@gleb_s']);
  await screen.click(screen.getByRole('option'));
  const field = await textField(screen);
  assert.equal(field.value, '@gleb_s ');
  assert.ok(screen.focused() === field);
  await decide(screen, 'Опубликовать');
  await formClosed(screen);
});

for (const path of ['/', '/posts/'])
  test(`Escape closes only the list, until the next mention (${path})`, async () => {
    await using wall = await openQuestion();
    await using screen = await openScreen(wall, path === '/' ? path : `${path}${wall.id}`, { as: wall.me });
    await answer(screen);
    await write(screen, '@g');
    await shows(screen, ['@galina_m', '@gleb_s']);
    screen.press('Escape');
    await shows(screen, []);
    assert.ok(screen.queryByRole('dialog') ?? inlineForm(screen));
    await write(screen, '@gl');
    await settle(screen);
    assert.deepEqual(shown(screen), []);
    await write(screen, '@gl, @g');
    await shows(screen, ['@galina_m', '@gleb_s']);
    screen.press('Escape');
    await shows(screen, []);
    screen.press('Escape');
    await formClosed(screen);
  });

test('people are asked for once in a pause, and not for an @ in a new post', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await openComposer(screen);
  const field = await textField(screen);
  for (const text of ['@', '@g', '@gl', '@gle']) {
    screen.fill(field, text);
    // Renders, in the same turn of the event loop.
    await Promise.resolve();
  }
  await shows(screen, ['@gleb_s']);
  assert.deepEqual(callsOf(screen, suggestions), ['GET /api/v1/users/suggestions?q=gle']);
  await write(screen, 'Эй @');
  await settle(screen);
  assert.deepEqual([shown(screen), callsOf(screen, suggestions).length], [[], 1]);
});

test('an answer that comes too late is ignored', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const late = Promise.withResolvers<void>();
  screen.network.intercept(/suggestions\?q=g$/, ({ forward }) => late.promise.then(forward));
  await openComposer(screen);
  await write(screen, '@g');
  await screen.until(() => assert.equal(callsOf(screen, suggestions).length, 1));
  await write(screen, '@win');
  await shows(screen, ['Аня@winter']);
  late.resolve();
  await settle(screen);
  assert.deepEqual(shown(screen), ['Аня@winter']);
});

test('until the next answer the list has those whom the letters still fit', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  screen.network.intercept(/suggestions\?q=[gx]/, () => new Promise(() => {}));
  await answer(screen);
  await write(screen, '@');
  await shows(screen, ['Аня@winter', '@galina_m']);
  await write(screen, '@g');
  await shows(screen, ['@galina_m']);
  screen.press('Enter');
  assert.equal((await textField(screen)).value, '@galina_m ');
  await write(screen, '@x');
  await shows(screen, []);
});

test('a failure shows nothing', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const end = screen.network.intercept(suggestions, () => Response.json({}, { status: 503 }));
  await openComposer(screen);
  await write(screen, '@g');
  await screen.until(() => assert.equal(callsOf(screen, suggestions).length, 1));
  await settle(screen);
  assert.deepEqual(shown(screen), []);
  assert.equal(screen.dialog().getAllByRole('alert').map(textOf).join(''), '');
  assert.deepEqual(screen.queryAllByRole('status').map(textOf).filter(Boolean), []);
  end();
  await write(screen, '@ga');
  await shows(screen, ['@galina_m']);
});

test('Ctrl+Enter publishes while the list is open, and an edit suggests people too', async () => {
  await using wall = await openQuestion();
  await using screen = await openScreen(wall, `/posts/${wall.id}`, { as: wall.me });
  await answer(screen);
  await write(screen, 'Верно, @wint');
  await shows(screen, ['Аня@winter']);
  await write(screen, 'Верно, @Winter');
  await shows(screen, []);
  await write(screen, 'Верно, @w');
  await shows(screen, ['Аня@winter']);
  screen.network.loseNext(/^POST .*\/replies$/);
  screen.press('Enter', { ctrlKey: true });
  await screen.findByText('Нет соединения', { exact: false });
  assert.deepEqual(shown(screen), []);
  screen.press('Enter', { ctrlKey: true });
  await formClosed(screen);
  await hasTexts(screen, ['Верно, @w', 'На углу']);
  await screen.until(() => assert.ok(screen.focused() === cards(screen)[0]));
  await choose(screen, 'Верно', /^Изменить/);
  await write(screen, 'Верно, @');
  await shows(screen, ['Аня@winter', '@galina_m']);
});
