import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from '../../../../test/kit/screen/account.ts';
import { openDesk } from '../../../../test/kit/screen/desk.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';
import type { SeededWall } from '../../../../test/kit/screen/seeded.ts';

/** `inviter` has brought `invited`, who has brought `second`. */
async function grow({ seed, db }: SeededWall): Promise<void> {
  let before: number | null = null;
  for (const name of ['inviter', 'invited', 'second']) {
    const id = await seed.person(name);
    const set = { invited_by: before };
    await db.tx((tx) => tx.db.updateTable('users').set(set).where('id', '=', id).execute());
    before = id;
  }
}

test('the page of a person shows who invited whom, and ends and gives back the right to invite', async () => {
  await using desk = await openDesk({ path: '/moderation/people/inviter', prepare: grow });
  const { screen } = desk;
  const list = await screen.findByRole('list', { name: 'Кого пригласил' });
  assert.deepEqual(
    queriesIn(list)
      .getAllByRole('listitem')
      .map((row) => textOf(row).replace(/\s+/g, ' ').trim()),
    ['invited', 'second от invited'],
  );
  await press(screen, 'Лишить права приглашать');
  await desk.choose('Приводит спамеров');
  await desk.toastShows('inviter: больше не приглашает');
  await desk.mainShows('Больше не приглашает, и те, кого он привёл, тоже.');
  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
  await screen.until(() => screen.main().getByRole('button', { name: 'Лишить права приглашать' }));
  await screen.click(screen.main().getByRole('link', { name: 'invited' }));
  await desk.mainShows('Пришёл по приглашению: inviter');
});

test('a branch is blocked with a fresh code', async () => {
  await using desk = await openDesk({ path: '/moderation/people/inviter', prepare: grow });
  const { screen, wall, me } = desk;
  await press(screen, 'Заблокировать всю ветку');
  await desk.pick('Реклама или спам');
  await desk.choose('Заблокировать');
  screen.fill(await screen.findByRole('textbox', { name: 'Код из письма' }), await wall.mail.codeTo(me.email));
  await desk.toastShows('Заблокировано: 3');
  await desk.mainShows('Причина: Реклама или спам');
  await desk.mainShows('заблокирован');
});
