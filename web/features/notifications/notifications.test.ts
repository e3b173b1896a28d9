import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bell,
  hasHeads,
  hasMarked,
  hasUnread,
  loaded,
  look,
  marked,
  openReplied,
  openNotifications,
  pill,
  read,
} from '../../../test/kit/screen/notifications.ts';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import {
  callsOf,
  card,
  cardOf,
  cards,
  decide,
  hasTexts,
  scrollUntil,
  toast,
  write,
} from '../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../test/kit/screen/seeded.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';

const hasNone = (screen: Screen) => screen.findByRole('heading', { name: 'Уведомлений пока нет' });

/** Simulates that another tab covers this one. */
function hide({ window }: Screen, hidden: boolean): void {
  Object.defineProperty(window.document, 'hidden', { configurable: true, value: hidden });
  window.document.dispatchEvent(new window.Event('visibilitychange'));
}

test('a notification appears on every device of its recipient and is read on all', async () => {
  await using wall = await openReplied();
  const { me, boris, postId } = wall;
  const first = await openScreen(wall, '/', { as: me });
  await using phone = await openScreen(wall, '/', { as: me });
  for (const device of [first, phone]) await hasUnread(device, 0);

  await using his = await openScreen(wall, `/posts/${postId}`, { as: boris });
  await his.click(cardOf(his, 'каток').getByRole('button', { name: 'Ответить' }));
  await write(his, 'Я иду!');
  await decide(his, 'Опубликовать');
  await toast(his, 'Опубликовано');
  for (const device of [first, phone]) await hasUnread(device, 1);
  await hasUnread(his, 0);

  bell(first).focus();
  first.press('Enter');
  await first.until(() => assert.equal(first.path(), '/notifications'));
  await first.until(() => assert.equal(first.window.document.title, '(1) Уведомления - Стена'));
  await first.until(() => assert.match(textOf(cards(first)[0]!), /boris_petrov/));
  await read(first);
  await first.until(() => assert.equal(first.window.document.title, 'Уведомления - Стена'));
  await hasUnread(phone, 0);
  await hasMarked(first, 1);

  await using screen = await first.reload();
  await hasTexts(screen, ['Я иду!']);
  await hasUnread(screen, 0);
  await hasMarked(screen, 0);
});

test('notifications are newest first, quote the person’s post, and exclude own replies', async () => {
  await using wall = await openReplied();
  const { seed, me, boris, postId } = wall;
  const [gone] = await seed.posts([{ by: me, text: 'Скоро удалю' }]);
  await seed.replies(gone!, [{ by: boris, text: 'Ответ в пустоту' }]);
  await seed.remove(gone!);
  const [his] = await wall.replyAsBoris('Я иду!');
  const [mine] = await seed.replies(his!, [{ by: me, text: 'Тогда в десять' }]);
  await seed.replies(mine!, [{ by: boris, text: 'Договорились' }]);
  await seed.replies(postId, [{ by: me, text: 'Отвечаю себе' }]);
  await using screen = await openScreen(wall, '/', { as: me });
  await hasUnread(screen, 3);

  await screen.click(bell(screen));
  await hasTexts(screen, ['Договорились', 'Я иду!', 'Ответ в пустоту']);
  await hasHeads(screen, [
    /^2 новых ответа · в вашем обсуждении «Кто идёт на каток\?»$/,
    /^1 новый ответ Запись удалена$/,
  ]);
  assert.equal(bell(screen).getAttribute('aria-current'), 'page');
  assert.equal(textOf(screen.getByRole('heading', { level: 1 })), 'Уведомления');
  assert.ok(screen.queryByRole('combobox', { name: 'Лента' }) === null);
  await seed.edit(his!, 'Я приду попозже');
  await screen.until(() => assert.match(textOf(card(screen, 'Я приду попозже')), /изменено/));

  await screen.click(cardOf(screen, 'Договорились').getByRole('link', { name: /Тогда в десять/ }));
  await screen.until(() => assert.equal(screen.path(), `/posts/${mine}`));
  await screen.click(await screen.findByRole('button', { name: 'Назад' }));
  await hasTexts(screen, ['Договорились', 'Я приду попозже', 'Ответ в пустоту']);
  await screen.click(screen.getByRole('button', { name: 'Назад' }));
  await screen.until(() => assert.equal(screen.path(), '/'));
});

test('new notifications wait behind a pill, which shows and focuses them', async () => {
  await using wall = await openReplied();
  await wall.replyAsBoris('Я иду!');
  await using screen = await openNotifications(wall);
  await hasMarked(screen, 1);
  await read(screen);
  await wall.replyAsBoris('И я!', 'И мы!');
  await hasUnread(screen, 2);
  await screen.until(async () => assert.equal(textOf(await pill(screen)), 'Показать новые: 2'));
  await screen.click(await pill(screen));
  await hasTexts(screen, ['И мы!', 'И я!', 'Я иду!']);
  await screen.until(() => assert.ok(screen.focused() === cards(screen)[0]));
  assert.ok(screen.getAllByRole('article', { name: /^Новый ответ boris_petrov$/ })[0] === screen.focused());
  await look(screen);
  await hasUnread(screen, 0);
});

test('unread notifications are marked on every page of the list, and no others', async () => {
  await using wall = await openReplied();
  await wall.replyAsBoris(...Array.from({ length: 14 }, (_, index) => `Прежний ${14 - index}`));
  const first = await openNotifications(wall);
  await read(first);
  await wall.replyAsBoris(...Array.from({ length: 25 }, (_, index) => `Новый ${25 - index}`));
  await hasUnread(first, 25);
  await using screen = await first.reload();
  await scrollUntil(screen, 39);
  await hasMarked(screen, 25);
  assert.ok(marked(screen).every((each) => /Новый \d/.test(textOf(each))));
  await wall.replyAsBoris(...Array.from({ length: 95 }, () => 'Ещё один'));
  await hasUnread(screen, 120);
});

test('without notifications the page explains what will appear, after a failure too', async () => {
  await using wall = await openSeeded();
  await using screen = await openScreen(wall, '/', { as: wall.me });
  const recover = screen.network.intercept(/notifications\?/, () => Response.json({}, { status: 503 }));
  await screen.click(bell(screen));
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  recover();
  await screen.click(screen.getByRole('button', { name: 'Повторить' }));
  await hasNone(screen);
});

test('a notification visible for less than a second, or in a hidden tab, stays unread', async () => {
  await using wall = await openReplied();
  await wall.replyAsBoris('Я иду!');
  await using screen = await openNotifications(wall);
  const reads = () => callsOf(screen, /^PUT .*notifications\/read$/).length;
  await hasMarked(screen, 1);
  const [only] = cards(screen);
  screen.show(only!);
  await screen.clock.advance(900);
  screen.show(only!, 0);
  await screen.clock.advance(1_500);
  screen.show(only!);
  hide(screen, true);
  await screen.clock.advance(1_500);
  assert.equal(reads(), 0);
  await hasUnread(screen, 1);
  hide(screen, false);
  await screen.clock.advance(1_500);
  await hasUnread(screen, 0);
  await screen.until(() => assert.equal(reads(), 1));
});

test('everything below the newest visible notification is read with it in one request', async () => {
  await using wall = await openReplied();
  const ids = await wall.replyAsBoris('Раз', 'Два', 'Три', 'Четыре');
  const first = await openNotifications(wall);
  const reads: string[] = [];
  first.network.intercept(/^PUT .*notifications\/read$/, ({ body, forward }) => {
    reads.push(JSON.parse(body!).up_to);
    return reads.length === 1 ? Promise.reject(new TypeError('reset')) : forward();
  });
  await hasMarked(first, 4);
  await look(first);
  await hasUnread(first, 0);
  const newest = String(ids.at(-1));
  await first.until(() => assert.deepEqual(reads, [newest]));
  await first.until(async () => {
    await first.clock.advance(1_000);
    assert.deepEqual(reads, [newest, newest]);
  });
  await hasMarked(first, 4);
  await using screen = await first.reload();
  await hasTexts(screen, ['Четыре', 'Три', 'Два', 'Раз']);
  await loaded(screen);
  await hasUnread(screen, 0);
  await hasMarked(screen, 0);
});
