import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  card,
  cards,
  choice,
  choose,
  decide,
  formClosed,
  dialogShows,
  openMenu,
  openPost,
  publish,
  textField,
  toast,
  write,
} from '../../../../test/kit/screen/posts.ts';
import { openOwnPage, openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

const patch = /^PATCH .*\/posts\/\d+$/;
const items = (screen: Screen): string[] => screen.queryAllByRole('menuitem').map(textOf);
const shows = (screen: Screen, text: string, what: RegExp): Promise<void> =>
  screen.until(() => assert.match(textOf(card(screen, text)), what));

/** The feed of a person who edits the post they have just published. */
async function openEditing(text: string, settings: NodeJS.ProcessEnv = {}) {
  const page = await openOwnPage('/', { settings });
  await publish(page.screen, text);
  await choose(page.screen, text, /^Изменить · (10:00|9:5\d|0:0\d)$/);
  return page;
}

test('an edited text appears everywhere with the mark «изменено»', async () => {
  await using page = await openEditing('Сдесь был я');
  const { screen } = page;
  await screen.findByRole('dialog', { name: 'Изменение записи' });
  await dialogShows(screen, /Изменить можно ещё (10:00|9:5\d)/);
  const save = await choice(screen, 'Сохранить');
  assert.equal((await textField(screen)).value, 'Сдесь был я');
  assert.ok(save.disabled);
  for (const text of ['  Сдесь был я ', '']) {
    await write(screen, 'Здесь');
    await screen.until(() => assert.ok(!save.disabled));
    await write(screen, text);
    await screen.until(() => assert.ok(save.disabled));
  }
  await write(screen, 'Здесь был я');
  await screen.until(() => assert.ok(!save.disabled));
  save.click();
  save.click();
  await toast(screen, 'Изменено');
  await shows(screen, 'Здесь был я', /изменено/);
  await openPost(screen, 'Здесь был я');
  await screen.until(() => assert.match(textOf(screen.getAllByRole('article')[0]!), /Здесь был я.*изменено/));
});

test('a lost response: saving again finds the text saved', async () => {
  await using page = await openEditing('Было');
  const { screen } = page;
  screen.network.loseNext(patch);
  await write(screen, 'Стало');
  await decide(screen, 'Сохранить');
  await dialogShows(screen, 'Нет соединения');
  await decide(screen, 'Сохранить');
  await toast(screen, 'Изменено');
  await shows(screen, 'Стало', /изменено/);
});

test('a deleted post cannot be edited, and the text stays', async () => {
  await using page = await openEditing('Недолго');
  const { screen, wall } = page;
  await write(screen, 'Дольше');
  const [post] = (await wall.get('/api/v1/posts')).json.posts;
  await wall.remove(Number(post.id));
  await decide(screen, 'Сохранить');
  await dialogShows(screen, 'Что-то пошло не так. Попробуйте ещё раз.');
  assert.equal((await textField(screen)).value, 'Дольше');
});

test('shows the server’s refusal when the time to edit is over', async () => {
  await using page = await openEditing('Поздно');
  const { screen } = page;
  await write(screen, 'Слишком поздно');
  const refusal = { code: 'EDIT_PERIOD_EXPIRED', message: 'Время изменения записи истекло' };
  screen.network.intercept(patch, () => Response.json(refusal, { status: 403 }));
  await decide(screen, 'Сохранить');
  await dialogShows(screen, 'Время изменения записи истекло');
  await screen.until(() => assert.ok(!screen.dialog().queryByRole('button', { name: 'Сохранить' })));
});

test('an open dialog shows when the time is over; the text can still be copied', async () => {
  await using page = await openEditing('Быстро', { EDIT_WINDOW_SECONDS: '6' });
  const { screen } = page;
  await write(screen, 'Не успею');
  await screen.clock.advance(7_000);
  await screen.until(() =>
    assert.equal(textOf(screen.dialog().getAllByRole('alert')[0]!), 'Время изменения записи истекло'),
  );
  const field = await textField(screen);
  assert.deepEqual([field.value, field.readOnly, field.disabled], ['Не успею', true, false]);
  assert.ok(!screen.dialog().queryByRole('button', { name: 'Сохранить' }));
  await screen.click(screen.dialog().getByText('Закрыть'));
  await formClosed(screen);
  await openMenu(screen, 'Быстро');
  await screen.until(() =>
    assert.deepEqual(items(screen), ['Удалить', 'Скопировать ссылку', 'Сохранить', 'Не следить']),
  );
});

test('an open menu removes the item when the time is over', async () => {
  await using page = await openOwnPage('/', { settings: { EDIT_WINDOW_SECONDS: '6' } });
  const { screen } = page;
  await publish(screen, 'Меню');
  await openMenu(screen, 'Меню');
  const item = await screen.findByRole('menuitem', { name: /^Изменить · 0:0\d$/ });
  await screen.until(() => assert.ok(screen.focused() === item));
  const before = textOf(item);
  await screen.clock.advance(1_000);
  await screen.until(() => assert.notEqual(textOf(item), before));
  await screen.clock.advance(6_000);
  await screen.until(() => assert.equal(items(screen)[0], 'Удалить'));
  await screen.until(() => assert.ok(screen.focused() === screen.getByRole('menuitem', { name: 'Удалить' })));
});

test('a reply to a text that was changed later says so, in the discussion and where it quotes it', async () => {
  const mark = /изменено после ответа/;
  await using wall = await openSeeded();
  const { seed, me: by } = wall;
  const [root] = await seed.posts([{ by, text: 'Люблю чай', age: 60 }]);
  const [early] = await seed.replies(root!, [{ by, text: 'Первый ответ', age: 30 }]);
  await seed.replies(early!, [{ by, text: 'Ответ ниже', age: 20 }]);
  const lacksMark = (on: Screen, text: string) => assert.doesNotMatch(textOf(card(on, text)), mark);
  const first = await openScreen(wall, `/posts/${root}`, { as: by });
  lacksMark(first, 'Первый ответ');
  await choose(first, 'Первый ответ', /Изменить/);
  await first.findByRole('dialog', { name: 'Изменение ответа' });
  await textField(first);
  first.press('Escape');
  await formClosed(first);
  await choose(first, 'Люблю чай', /Изменить/);
  await write(first, 'Ненавижу чай');
  await decide(first, 'Сохранить');
  await shows(first, 'Первый ответ', mark);
  lacksMark(first, 'Ответ ниже');
  await seed.replies(root!, [{ by, text: 'Второй ответ', age: -5 }]);
  const again = await first.reload();
  await shows(again, 'Первый ответ', mark);
  lacksMark(again, 'Второй ответ');
  const own = await again.reload('/own/replies');
  await own.until(() => assert.match(textOf(cards(own).at(-1)!), /изменено после ответа.*Первый ответ/));
  lacksMark(own, 'Второй ответ');
  await using page = await own.reload(`/posts/${early}`);
  await page.until(() => assert.match(textOf(page.getByRole('group', { name: 'Начало обсуждения' })), mark));
});
