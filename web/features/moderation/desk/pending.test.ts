import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shutGate } from '../../../../test/kit/gate.ts';
import { openDesk } from '../../../../test/kit/screen/desk.ts';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { decide, formClosed, openComposer, toast, write } from '../../../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';

test('the author of a post that waits is led to it and may delete it', async () => {
  await using wall = await openSeeded();
  await shutGate(wall);
  await using screen = await openScreen(wall, '/', { as: wall.me });
  await openComposer(screen);
  await write(screen, 'Всем привет');
  await decide(screen, 'Опубликовать');
  await formClosed(screen);
  const said = await toast(screen, /^Ждёт\sпроверки.*через\s24\sч/);
  await screen.click(queriesIn(said).getByRole('link', { name: 'Смотреть' }));
  const list = await screen.findByRole('list', { name: /Ждёт\sпроверки/ });
  assert.match(textOf(list), /Всем привет/);
  await screen.click(queriesIn(list).getByRole('button', { name: 'Удалить' }));
  await screen.until(() => assert.match(textOf(screen.dialog().getByRole('heading')), /Удалить\sнавсегда/));
  await decide(screen, 'Удалить');
  await screen.until(() => assert.equal(screen.queryByRole('list', { name: /Ждёт\sпроверки/ }), null));
  assert.equal((await wall.db.read.selectFrom('pending_posts').select('id').execute()).length, 0);
});

test('a moderator lets posts of newcomers through, removes them, and ends a raid', async () => {
  await using desk = await openDesk({
    path: '/moderation/people',
    async prepare(wall) {
      for (const name of ['galina_m', 'oleg_v', 'raider_a', 'raider_b']) {
        await wall.seed.hold(await wall.seed.person(name), `Привет от ${name}`);
      }
    },
  });
  const { screen, wall, me } = desk;
  await screen.until(() => screen.getAllByRole('link', { name: /ждут проверки: 4/ }));
  await screen.click(screen.getAllByRole('link', { name: /ждут проверки: 4/ })[0]!);
  const list = await screen.findByRole('list', { name: /Ждут\sпроверки/ });
  const press = async (text: string, name: string) => {
    const card = [...list.querySelectorAll<HTMLElement>('article')].find((each) => textOf(each).includes(text));
    await screen.click(queriesIn(card!).getByRole('button', { name }));
  };
  await press('galina_m', 'Пропустить');
  await desk.toastShows('Пропущено');
  await press('oleg_v', 'Убрать');
  await desk.choose('Реклама или спам');
  await desk.toastShows('Убрано: Реклама или спам');
  assert.deepEqual(
    (await wall.get('/api/v1/posts')).json.posts.map(({ text }: { text: string }) => text),
    ['Привет от galina_m'],
  );
  await wall.db.tx(({ db }) =>
    db
      .updateTable('sessions')
      .set({ moderation_until: wall.clock.now + 600 })
      .where('user_id', '=', me.id)
      .execute(),
  );
  let taps = 0;
  screen.window.addEventListener('click', () => (taps += 1), true);
  await screen.click(screen.getByRole('button', { name: /^Заблокировать\sвсех/ }));
  await desk.choose('Реклама или спам');
  await desk.toastShows('Заблокировано людей: 2. Убрано записей: 2');
  await screen.findByRole('heading', { name: /Никто\sне\sждёт/ });
  assert.ok(taps <= 2, `${taps} taps`);
});
