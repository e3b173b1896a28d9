import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from '../../../test/kit/screen/account.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { showsPath } from '../../../test/kit/screen/views.ts';
import { withinTurns } from '../../../test/kit/turns.ts';

const asOwner = (path: string) =>
  openOwnPage(path, { settings: { RATE_LIMITS: 'off' }, prepare: ({ seed, anna }) => seed.appoint(anna, 'owner') });
const field = (screen: Screen, name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });

test('the settings lead owners to their page, which does not exist for others', async () => {
  await using page = await asOwner('/settings');
  const { screen, wall, person } = page;
  await screen.click(await screen.findByRole('link', { name: /^Хозяйство/ }));
  await showsPath(screen, '/keep');
  await field(screen, 'Имя стены');
  await wall.db.tx(({ db }) =>
    db.updateTable('users').set({ role: 'moderator' }).where('id', '=', person.id).execute(),
  );
  await using moderators = await screen.reload();
  await moderators.findByRole('heading', { name: 'Страница не существует' });
});

test('the name, the line and the contact of the wall are saved and shown at once', async () => {
  await using page = await asOwner('/keep');
  const { screen, wall } = page;
  screen.fill(await field(screen, 'Имя стены'), '');
  await screen.until(() => assert.match(screen.main().getAllByRole('alert')[0]!.textContent, /Введите имя/));
  assert.ok(screen.main().getByRole<HTMLButtonElement>('button', { name: 'Сохранить' }).disabled);
  screen.fill(await field(screen, 'Имя стены'), 'Наш двор');
  screen.fill(await field(screen, 'Одной строкой о ней'), 'О нашем дворе');
  screen.fill(await field(screen, 'Куда писать тем, кто ведёт стену'), 'dvor@example.org');
  await press(screen, 'Сохранить');
  await screen.until(() => assert.deepEqual(screen.loads, ['/keep']));
  await using again = await screen.reload();
  await again.until(() => assert.equal(again.window.document.title, 'Хозяйство - Наш двор'));
  assert.equal((await field(again, 'Куда писать тем, кто ведёт стену')).value, 'dvor@example.org');
  assert.match((await wall.get('/')).text, /О нашем дворе/);
});

test('a wall that is closed asks visitors to sign in, and members see it as before', async () => {
  await using page = await asOwner('/keep');
  const { screen, wall } = page;
  await screen.click(await screen.findByRole('radio', { name: /^Участники/ }));
  await press(screen, 'Сохранить');
  await withinTurns(300, async () => ((await wall.get('/api/v1/posts')).status === 401 ? true : undefined));
  await using feed = await screen.reload('/');
  await feed.until(() =>
    assert.match(textOf(feed.window.document.querySelector('main') as unknown as Element), /Записи не найдены/),
  );
  await using visitors = await openScreen(wall, '/');
  await visitors.findByRole('heading', { name: 'Нужно войти' });
  await press(visitors, 'Войти');
  await visitors.findByRole('dialog', { name: /^Войти/ });
});

test('a text is previewed and saved; one from a file is shown as such', async () => {
  await using page = await asOwner('/keep');
  const { screen, wall } = page;
  await press(screen, 'Изменить: Правила');
  screen.fill(await field(screen, 'Правила: текст с разметкой Markdown'), '# Наши правила\n\n- Не шуметь');
  await press(screen, 'Показать, как будет');
  await screen.findByRole('heading', { name: 'Наши правила' });
  await screen.click(screen.main().getAllByRole('button', { name: 'Сохранить' }).at(-1)!);
  await screen.findByText('Написан здесь.');
  assert.match((await wall.get('/rules')).text, /Не шуметь/);
  await press(screen, 'Изменить: Правила');
  await press(screen, 'Вернуть текст программы');
  await screen.until(() => assert.equal(screen.queryByText('Написан здесь.'), null));
});

test('the first steps lead on, are ticked, and are gone when everything is done', async () => {
  await using page = await asOwner('/keep');
  const { screen, wall, person } = page;
  const steps = () =>
    queriesIn(screen.getByRole('region', { name: 'С чего начать' }))
      .getAllByRole('listitem')
      .map(textOf);
  await screen.findByRole('region', { name: 'С чего начать' });
  assert.equal(steps().filter((step) => step.includes('сделано')).length, 0);
  await press(screen, 'Отправить мне письмо');
  await screen.until(() => assert.ok(steps()[2]!.includes('сделано')));
  await screen.findByText(/почтовый сервер принял/);
  await wall.seed.posts([{ by: person.id, text: 'Первая' }]);
  await wall.operator('invite', '--reason', 'соседям');
  await press(screen, 'Изменить: Правила');
  await screen.click(screen.main().getAllByRole('button', { name: 'Сохранить' }).at(-1)!);
  screen.fill(await field(screen, 'Одной строкой о ней'), 'О нашем дворе');
  await screen.click(screen.main().getAllByRole('button', { name: 'Сохранить' })[0]!);
  await screen.until(() => assert.equal(screen.queryByRole('region', { name: 'С чего начать' }), null));
});
