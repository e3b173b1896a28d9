import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button } from '../../../../test/kit/screen/account.ts';
import { hasOutline, openDiscussion } from '../../../../test/kit/screen/discussion.ts';
import type { Screen } from '../../../../test/kit/screen/open-screen.ts';
import { callsOf, card, cardOf, cards } from '../../../../test/kit/screen/posts.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

const shallow = [
  { text: 'Первый', below: [{ text: 'Под первым', below: [{ text: 'Ещё глубже' }] }, { text: 'Рядом' }] },
  { text: 'Второй' },
];
const asVisitor = true;

test('replies are a tree: the newest direct reply first, below it the oldest first', async () => {
  await using page = await openDiscussion('Вопрос', shallow, { asVisitor });
  const { screen } = page;
  await hasOutline(screen, ['Второй', 'Первый', '.Под первым', '..Ещё глубже', '.Рядом']);
  assert.equal(textOf(cardOf(screen, 'Вопрос').getByRole('button', { name: /^Ответить/ })), 'Ответить5');
  const named = screen.getAllByRole('article', { name: 'boris_p уровень 2, в ответ boris_p' });
  assert.ok(named.includes(card(screen, 'Рядом') as HTMLElement));
});

test('a deleted post with replies leaves a gap, and goes with the last of them', async () => {
  await using page = await openDiscussion('Вопрос', shallow, { asVisitor });
  const { wall, ids } = page;
  const withGap = ['Второй', 'Первый', '.Запись удалена', '..Ещё глубже', '.Рядом'];
  await wall.seed.remove(ids.get('Под первым')!);
  await hasOutline(page.screen, withGap);
  await using screen = await page.screen.reload();
  await hasOutline(screen, withGap);
  await wall.seed.remove(ids.get('Ещё глубже')!);
  await hasOutline(screen, ['Второй', 'Первый', '.Рядом']);
});

/** A discussion whose replies do not fit on one page. */
const openLong = () =>
  openDiscussion(
    'Вопрос',
    Array.from({ length: 45 }, (_, index) => ({ text: `Ответ ${index + 1}` })),
    { asVisitor },
  );

const oldestFirst = /\/thread\?.*order=oldest/;
const isBusy = (screen: Screen, busy: boolean): Promise<void> =>
  screen.until(() => assert.equal(screen.getByRole('feed').getAttribute('aria-busy'), `${busy}`));

test('a press of the shown order gives up a change under way', async () => {
  await using page = await openLong();
  const { screen } = page;
  const held = Promise.withResolvers<void>();
  screen.network.intercept(oldestFirst, ({ forward }) => held.promise.then(forward));
  const [newest, oldest] = ['Сначала новые', 'Сначала старые'].map((name) => screen.getByRole('button', { name }));
  const isShown = (order: HTMLElement, first: string) =>
    screen.until(() => {
      assert.equal(order.getAttribute('aria-pressed'), 'true');
      assert.match(textOf(cards(screen)[0]!), new RegExp(`${first}(?!\\d)`));
    });
  await screen.click(oldest!);
  await isBusy(screen, true);
  await screen.click(oldest!);
  await screen.click(newest!);
  await isBusy(screen, false);
  assert.equal(callsOf(screen, oldestFirst).length, 1);
  held.resolve();
  await screen.until(() => assert.equal(screen.network.withoutResponse(), 0));
  await isShown(newest!, 'Ответ 45');
  await screen.click(oldest!);
  await isShown(oldest!, 'Ответ 1');
});

test('replies that were left while their order was changing are not loading after Back', async () => {
  await using page = await openLong();
  const { screen } = page;
  screen.network.intercept(oldestFirst, () => new Promise(() => {}));
  await screen.click(screen.getByRole('button', { name: 'Сначала старые' }));
  await isBusy(screen, true);
  await screen.click(screen.getAllByRole('link', { name: 'Лента' })[0]!);
  await screen.until(() => assert.ok(screen.queryByRole('heading', { name: 'Ответы' }) === null));
  // Another discussion was read in the order of this one.
  screen.window.localStorage.setItem('replies', 'newest');
  screen.window.history.back();
  await screen.findByRole('heading', { name: 'Ответы' });
  await isBusy(screen, false);
});

test('where scrolling does not load, «Показать ещё» focuses the first new reply', async () => {
  await using page = await openLong();
  const { screen } = page;
  const shown = cards(screen).length;
  await screen.click(await button(screen, 'Показать ещё'));
  await screen.until(() => assert.equal(screen.focused()?.getAttribute('aria-posinset'), `${shown + 1}`));
});
