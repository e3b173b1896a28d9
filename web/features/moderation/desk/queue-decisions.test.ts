import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deskOf, openDesk, type OpenDesk } from '../../../../test/kit/screen/desk.ts';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';
import { fail, first, reports, second, texts, third } from '../../../../test/kit/screen/reported.ts';

const removals = /^POST .*\/moderation\/posts\/\d+\/removal$/;
const removalsOf = ({ screen }: OpenDesk) => screen.network.requests.filter((request) => removals.test(request));

test('a report is settled in three taps', async () => {
  await using desk = await openDesk({ texts });
  const { screen } = desk;
  let taps = 0;
  screen.window.addEventListener('click', () => (taps += 1), true);
  await desk.remove(first, 'Реклама или спам');
  await desk.toastShows('Убрано со стены: Реклама или спам');
  assert.ok(taps <= 3);
  await desk.gone(first);
  await desk.focused(() => desk.card(second));

  taps = 0;
  await desk.act(second, 'Оставить');
  await desk.choose('Нарушения нет');
  await desk.toastShows('Оставлено: Нарушения нет');
  assert.ok(taps <= 3);
  await desk.mainShows('Записей с жалобами: 1.');

  // After the last one there is no card to go to.
  await desk.remove(third, 'Мошенничество');
  await screen.findByRole('heading', { name: 'Жалоб нет' });
  await desk.focused(() => screen.getByRole('main'));
});

test('a double tap sends one request', async () => {
  await using desk = await openDesk({ texts });
  const { screen } = desk;
  const sent = Promise.withResolvers<void>();
  screen.network.intercept(removals, async ({ forward }) => {
    await sent.promise;
    return forward();
  });
  await desk.act(first, 'Убрать со стены');
  const reason = await screen.until(() => screen.dialog().getByRole('button', { name: 'Мошенничество' }));
  reason.click();
  reason.click();
  await screen.until(() => assert.equal(reason.getAttribute('aria-busy'), 'true'));
  reason.click();
  sent.resolve();
  await desk.gone(first);
  assert.equal(removalsOf(desk).length, 1);
});

test('an own reason is sent as it was typed', async () => {
  await using desk = await openDesk({ texts });
  const { screen, wall, me } = desk;
  await desk.remove(first, /Другая причина/);
  const field = await screen.findByRole('textbox', { name: 'Причина' });
  await desk.focused(() => field);
  screen.fill(field, 'Пятый раз за день');
  await desk.choose('Убрать со стены');
  await desk.toastShows('Убрано со стены: Пятый раз за день');
  assert.match(await wall.operator('log'), new RegExp(me.name));
});

test('an act whose dialog was closed before the response takes its card off the list', async () => {
  await using desk = await openDesk({ texts });
  const { screen } = desk;
  const held = Promise.withResolvers<void>();
  screen.network.intercept(removals, async ({ forward }) => {
    const response = await forward();
    await held.promise;
    return response;
  });
  await desk.remove(first, 'Реклама или спам');
  screen.press('Escape');
  await desk.formClosed();
  await desk.act(second, 'Убрать со стены');
  held.resolve();
  await desk.dialogShows(second);
  screen.dialog().getByRole('button', { name: 'Реклама или спам' });
  screen.press('Escape');
  await desk.gone(first);
  assert.ok(desk.hasButton(second, 'Убрать со стены'));
});

test('what was settled is off the wall, and the message takes it back', async () => {
  await using desk = await openDesk({ texts });
  const { screen, wall, ids, me } = desk;
  await using reader = await openScreen(wall, '/');
  assert.match(textOf(reader.getByRole('feed')), new RegExp(first));
  await desk.remove(first, 'Реклама или спам');
  await reader.until(() => assert.doesNotMatch(textOf(reader.getByRole('feed')), new RegExp(first)));

  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
  await desk.toastShows('Решение отменено');
  await screen.until(() => assert.ok(desk.hasButton(first, 'Убрать со стены')));
  await desk.focused(() => desk.card(first));
  await using later = await openScreen(wall, `/posts/${ids[0]}`);
  assert.match(textOf(later.getAllByRole('article')[0]!), new RegExp(first));

  await using again = await openScreen(wall, '/moderation', { as: me.id });
  await again.until(() => assert.ok(deskOf(again).hasButton(first, 'Убрать со стены')));
});

test('the card of a decision that is taken back while its dialog is closing gets the focus', async () => {
  await using desk = await openDesk({ texts });
  const { screen } = desk;
  const { window } = screen;
  // The frame that was requested last comes first.
  const frames: ((time: number) => void)[] = [];
  const requestFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (run) => {
    frames.push(run);
    return requestFrame((time) => frames.pop()?.(time));
  };
  await desk.remove(first, 'Реклама или спам');
  await screen.click(await screen.findByRole('button', { name: 'Отменить решение' }));
  await desk.toastShows('Решение отменено');
  await desk.focused(() => desk.card(first));
  await screen.until(() => assert.equal(frames.length, 0));
  await desk.focused(() => desk.card(first));
});

test('after several decisions the message is about the last one, and the journal takes back each of them', async () => {
  await using desk = await openDesk({ texts });
  const { screen, wall, ids } = desk;
  await desk.remove(first, 'Реклама или спам');
  await desk.gone(first);
  await desk.remove(second, 'Материалы 18+');
  await desk.toastShows('Убрано со стены: Материалы 18+');
  await screen.click(screen.getByRole('link', { name: 'Журнал' }));
  const entry = await screen.until(() => {
    const entries = queriesIn(screen.getByRole('list', { name: 'Журнал' })).getAllByRole('listitem');
    return entries.find((each) => textOf(each).includes(first))!;
  });
  await screen.click(queriesIn(entry).getByRole('button', { name: 'Отменить решение' }));
  await desk.choose('Ошибка');
  await desk.toastShows('Решение отменено');
  assert.equal((await wall.get(`/api/v1/posts/${ids[0]}`)).status, 200);
});

test('what another moderator has settled meanwhile says so and leaves the list', async () => {
  await using desk = await openDesk({ texts: [...texts, 'Четвёртая'] });
  const { wall, ids } = desk;
  await wall.operator('remove', `${ids[0]}`, '--reason', 'спам');
  await wall.operator('dismiss', `${ids[3]}`, '--reason', 'спор');
  await desk.remove(first, 'Реклама или спам');
  await desk.toastShows('Это уже сделано, возможно, другим модератором');
  await desk.gone(first);
  await desk.gone('Четвёртая');

  await wall.seed.remove(ids[1]!);
  await desk.remove(second, 'Реклама или спам');
  await desk.toastShows('Записи больше нет');
  await desk.cardShows(second, 'Автор удалил запись');
  assert.ok(!desk.hasButton(second, 'Убрать со стены'));
  await desk.focused(() => desk.card(second));
});

test('a decision stays although the list could not be loaded after it', async () => {
  await using desk = await openDesk({ texts });
  const { screen } = desk;
  const recover = screen.network.intercept(reports, fail);
  await desk.remove(first, 'Реклама или спам');
  await desk.gone(first);
  await desk.mainShows('Нет соединения');
  recover();
  await screen.click(screen.getByRole('button', { name: 'Повторить' }));
  await desk.mainShows('Это все жалобы.');
});
