import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter } from '../../test/kit/journeys/enter.ts';
import { openStory } from '../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { wordsOf } from '../../test/kit/journeys/find.ts';
import { seedReported } from '../../test/kit/seed.ts';
import { reads } from '../../test/kit/journeys/act.ts';

/** A moderator in a text browser. */
async function openDesk(role: 'moderator' | 'owner' = 'moderator') {
  const wall = await openStory('sqlite');
  const browser = await enter(wall, 'anna_k', role);
  const found = (selector: string) => [...browser.page().document.querySelectorAll(selector)];
  return {
    ...browser,
    wall,
    seed: wall.world.seed,
    found,
    /** The items of a list of the page. */
    rows: (list: string) => found(`ul[aria-label="${list}"] > li`).map(wordsOf),
    links: () => found('main a').map(wordsOf),
    /** What the page shows at an address. */
    async at(path: string): Promise<string> {
      await browser.open(path);
      return wordsOf(browser.page().document.querySelector('main')!);
    },
    [Symbol.asyncDispose]: () => wall[Symbol.asyncDispose](),
  };
}

test('every page of the desk has its name, and the links between them say which one is shown', async () => {
  await using desk = await openDesk();
  for (const [name, title, path] of [
    ['Жалобы', 'Модерация', '/moderation'],
    ['Люди', 'Люди: модерация', '/moderation/people'],
    ['Приглашения', 'Приглашения: модерация', '/moderation/invites'],
    ['Журнал', 'Журнал: модерация', '/moderation/journal'],
    ['Объявление', 'Объявление: модерация', '/moderation/pin'],
  ]) {
    await desk.open(path!);
    assert.equal(desk.page().document.title, `${title} - Стена`);
    assert.deepEqual(desk.found('nav[aria-label=Модерация] a[aria-current=page]').map(wordsOf), [name]);
    assert.equal(desk.found(`nav[aria-label=Модерация] a[href="${path}"]`).length, 1);
  }
  await desk.open('/settings');
  await desk.follow('Модерация Записей с жалобами: 1');
  assert.equal(await desk.path(), '/moderation');
  const stranger = await enter(desk.wall, 'oleg_v');
  await stranger.open('/settings');
  assert.doesNotMatch(await stranger.text(), /Модерация|Хозяйство/);
});

test('the queue shows what was reported, by whom and why, by pages; settled reports are a line that leads to them', async () => {
  await using desk = await openDesk();
  const { world, db } = desk.wall;
  await db.tx((tx) => tx.db.deleteFrom('reports').execute());
  assert.match(await desk.at('/moderation'), /Жалоб нет ?Всё разобрано\./);
  const texts = Array.from({ length: 12 }, (_, index) => `Запись номер ${index + 1}.`);
  const { author, reporters, ids } = await seedReported(world, texts);
  const [reply] = await desk.seed.replies(ids[0]!, [{ by: reporters[0]!.id, text: 'Жми сюда' }]);
  await desk.seed.report(reply!, author.id);
  await desk.seed.edit(ids[1]!, 'Все вы молодцы');
  assert.match(await desk.at('/moderation'), /Записей с жалобами: 13\. Сначала те, что ждут дольше/);
  const [first, second] = desk.rows('Жалобы');
  assert.equal(desk.rows('Жалобы').length, 10);
  for (const shown of [author.name, 'Запись номер 1.', 'Жалоб: 2', 'Спам · ', ...reporters.map(({ name }) => name)])
    assert.ok(first!.includes(shown), `${shown} in ${first}`);
  assert.match(second!, /Текст с тех пор изменён.*Запись номер 2\..*Сейчас: ?Все вы молодцы/);
  await desk.follow('Дальше');
  assert.equal(desk.rows('Жалобы').length, 3);
  assert.match(desk.rows('Жалобы').at(-1)!, /Запись номер 1\..*Жми сюда/);
  assert.match(await desk.text(), /Это все жалобы\./);
  const lastPage = await desk.path();
  for (const id of [...ids.slice(10), reply!]) await desk.seed.act('remove', id, 'спам');
  assert.match(await desk.at(lastPage), /Здесь всё разобрано/);
  await desk.follow('К началу списка');
  assert.equal(desk.rows('Жалобы').length, 10);
  await desk.follow('Обсуждение вокруг');
  assert.equal(await desk.path(), `/posts/${ids[0]}`);

  await desk.seed.act('dismiss', ids[0]!, 'спор');
  assert.match(await desk.at('/moderation'), /Рассмотрено: 4/);
  await desk.follow('Рассмотрено: 4');
  assert.equal(desk.rows('Рассмотренные').filter((row) => row.includes('убрана со стены')).length, 3);
  assert.match(desk.rows('Рассмотренные').join(), /оставлена ?Запись номер 1\./);
});

test('the page of a person shows who invited whom, until when a block lasts, and no acts of owners to a moderator', async () => {
  await using desk = await openDesk();
  let before = desk.id;
  for (const name of ['inviter', 'invited', 'second']) {
    const id = await desk.seed.person(name);
    await desk.seed.invited(id, before);
    before = id;
  }
  await desk.at('/moderation/people/inviter');
  assert.deepEqual(desk.rows('Кого пригласил'), ['invited', 'second от invited']);
  assert.doesNotMatch(desk.links().join(), /Снять с роли|Назначить|Сделать владельцем/);
  const moderation_until = Math.floor(Date.now() / 1_000) + 600;
  await desk.wall.db.tx((tx) => tx.db.updateTable('sessions').set({ moderation_until }).execute());
  await desk.follow('Заблокировать');
  await desk.send('Заблокировать', { 'Реклама или спам': true });
  assert.match(await desk.at('/moderation/people/inviter'), /Причина: Реклама или спам.* · ещё \d/);
});

test('the journal says who did what and why, and offers to take back what can be', async () => {
  await using desk = await openDesk();
  const { reportedId, author } = desk.wall.world;
  await desk.open(`/moderation/acts/dismiss?of=${reportedId}`);
  await desk.send('Спор, а не нарушение');
  await desk.seed.act('block', author.id, 'спам');
  await desk.at('/moderation/journal');
  const rows = desk.rows('Журнал');
  assert.match(rows[0]!, new RegExp(`Блокировка: ${author.name}.*спам`));
  assert.match(rows[1]!, new RegExp(`Запись оставлена: № ${reportedId}.*Купите у меня.*Спор.*anna_k`));
  assert.match(rows[2]!, /Назначен модератор: anna_k/);
  assert.deepEqual(
    rows.map((row) => row.includes('Отменить решение')),
    [true, true, false],
  );
  await desk.follow('Отменить решение');
  const form = await desk.path();
  await desk.seed.act('unblock', author.id, 'ошиблись');
  await desk.open(form);
  await desk.send('Ошибка');
  assert.match(await desk.text(), /Это уже сделано, возможно, другим модератором/);
});

test('an invitation is shown with a QR code, and says when its link is not known any more', async () => {
  await using desk = await openDesk();
  await desk.at('/moderation/invites');
  await desk.send('Сделать приглашение', { 'Пометка для себя: кому ссылка': 'Для соседа' });
  const [, made] = /\/join\/(\w{5}-\w{5})/.exec(await desk.text())!;
  await desk.open('/moderation/invites');
  await desk.follow('Показать ссылку');
  assert.ok((await desk.text()).includes(`/join/${made}`));
  // One is on the screen, and one on the sheet for paper.
  assert.equal(desk.found('[aria-label="QR-код ссылки"]').length, 2);
  const [sheet] = desk.found('[data-sheet]');
  assert.match(wordsOf(sheet!), /Здесь решаем, что важно\. Присоединяйтесь.*\/join\/\w{5}-\w{5} ?Наведите камеру/);
  await desk.wall.db.tx((tx) => tx.db.deleteFrom('invites').execute());
  await desk.seed.invitation({ id: desk.id });
  assert.match(await desk.at('/moderation/invites'), /ссылку показать ещё раз нельзя/);
  assert.ok(!desk.links().includes('Показать ссылку'));
});

test('the acts of moderators on a post are offered to nobody else, nor to a moderator on an own post', async () => {
  await using desk = await openDesk();
  const { wall, seed } = desk;
  const { postId } = wall.world;
  const [own] = await seed.posts([{ by: desk.id, text: 'Своя' }]);
  const stranger = await enter(wall, 'oleg_v');
  assert.match(await desk.at(`/posts/${postId}/actions`), /Убрать со стены/);
  await desk.follow('Закрепить');
  assert.deepEqual(desk.found('main label:has([checked])').map(wordsOf), ['Неделя']);
  assert.doesNotMatch(await desk.at(`/posts/${own}/actions`), /Убрать со стены/);
  await stranger.open(`/posts/${postId}/actions`);
  assert.doesNotMatch(await stranger.text(), /Убрать со стены|Медленный режим/);
  assert.match(await stranger.text(), /Пожаловаться/);
  await desk.seed.act('lock', postId, 'Вопрос решён');
  const visitor = openTextBrowser(wall.url);
  await reads(visitor, `/posts/${postId}`, /Новые ответы запрещены/);
});
