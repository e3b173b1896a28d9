import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from '../../../test/kit/screen/account.ts';
import { queriesIn, textOf } from '../../../test/kit/screen/queries.ts';
import { openOwnPage, type SeededWall } from '../../../test/kit/screen/seeded.ts';

const path = '/settings/invitations';
const calls = /\/users\/current\/invitations/;

const byMembers = ({ operator }: SeededWall) => operator('registration', 'members', '--reason', 'свои');

async function settled(wall: SeededWall): Promise<void> {
  await byMembers(wall);
  const then = wall.clock.now - 20 * 24 * 3_600;
  await wall.db.tx(({ db }) =>
    db.updateTable('users').set({ created_at: then, posts_count: 7 }).where('id', '=', wall.me).execute(),
  );
}

test('says what is missing before a person may invite', async () => {
  await using page = await openOwnPage('/settings', { prepare: byMembers });
  const { screen } = page;
  await screen.click(await screen.main().findByRole('link', { name: 'Приглашения' }));
  await screen.findByText(/^Приглашают те, кто на стене не меньше 14 дн\. .* написать записей: 5\.$/);
  screen.main().getByText('Ссылок пока нет');
  assert.equal(screen.main().queryByRole('button', { name: 'Сделать ссылку' }), null);
});

test('links are made, copied and ended, and then there are none left', async () => {
  await using page = await openOwnPage(path, { settings: { RATE_LIMITS: 'off' }, prepare: settled });
  const { screen } = page;
  let copied = '';
  const clipboard = { writeText: async (text: string) => void (copied = text) };
  Object.defineProperty(screen.window.navigator, 'clipboard', { value: clipboard });
  const rows = () => screen.main().queryAllByRole('listitem');
  await screen.findByText(/Сейчас можно сделать ссылок: 3\.$/);
  for (const left of [2, 1]) {
    await press(screen, 'Сделать ссылку');
    await screen.findByText(new RegExp(`ссылок: ${left}\\.$`));
  }
  assert.equal(rows().length, 2);
  const newest = queriesIn(rows()[0]!);
  await screen.until(() =>
    assert.equal(screen.window.document.activeElement, newest.getByRole('button', { name: 'Скопировать' })),
  );
  await screen.click(newest.getByRole('button', { name: 'Скопировать' }));
  await screen.until(() => assert.match(copied, /\/join\/\w{5}-\w{5}$/));
  assert.ok(textOf(rows()[0]!).startsWith(copied));
  await screen.click(newest.getByRole('button', { name: 'Отозвать' }));
  await screen.until(() => assert.equal(rows().length, 1));
  const make = screen.main().getByRole('button', { name: 'Сделать ссылку' });
  await screen.until(() => assert.equal(make.getAttribute('aria-busy'), 'false'));
  await press(screen, 'Сделать ссылку');
  await screen.findByText('Ссылки закончились: в месяц их 3. Следующая — через 30 дн.');
  assert.equal(screen.main().queryByRole('button', { name: 'Сделать ссылку' }), null);
});

test('a failure to load or to make one is shown, and can be repeated', async () => {
  await using page = await openOwnPage('/settings', { prepare: settled });
  const { screen } = page;
  const recover = screen.network.intercept(calls, () => Promise.reject(new TypeError()));
  await screen.click(await screen.main().findByRole('link', { name: 'Приглашения' }));
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  recover();
  await press(screen, 'Повторить');
  await screen.findByText(/ссылок: 3\.$/);
  // The lost response was that of a link: repeating makes no second one.
  screen.network.loseNext(/^POST .*invitations$/);
  await press(screen, 'Сделать ссылку');
  await screen.until(() =>
    assert.ok(
      screen
        .main()
        .getAllByRole('alert')
        .some((alert) => /Нет соединения/.test(textOf(alert))),
    ),
  );
  await press(screen, 'Сделать ссылку');
  await screen.findByText(/ссылок: 2\.$/);
});
