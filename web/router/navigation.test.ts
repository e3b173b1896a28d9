import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from '../../test/kit/screen/account.ts';
import type { Screen } from '../../test/kit/screen/open-screen.ts';
import { callsOf, cardOf, openPost } from '../../test/kit/screen/posts.ts';
import { openOwnPage } from '../../test/kit/screen/seeded.ts';
import { showsPath, titleOf } from '../../test/kit/screen/views.ts';

const text = 'Какую книгу вы перечитываете?';

const openFeed = () => openOwnPage('/', { asVisitor: true, prepare: ({ seed, me }) => seed.posts([{ by: me, text }]) });

const shows = async (screen: Screen, path: string, title: string, heading: string): Promise<void> => {
  await screen.until(() => assert.deepEqual([screen.window.document.title, titleOf(screen)], [title, heading]));
  await showsPath(screen, path);
};
const author = (screen: Screen): HTMLElement => screen.main().getAllByRole('link', { name: 'anna_k' })[0]!;
const go = (screen: Screen, path: string): void => screen.window.eval(`void navigation.navigate('${path}')`) as never;
const isBusy = (screen: Screen): boolean => screen.getByRole('main').querySelector('[aria-busy=true]') !== null;

test('a post, its author and the feed open without a page load, each with its title; only the feed has no way back', async () => {
  await using page = await openFeed();
  const { screen } = page;
  const back = () => screen.queryByRole('button', { name: 'Назад' });
  assert.ok(back() === null);
  await openPost(screen, text);
  await shows(screen, '/posts/1', `anna_k: ${text} - Стена`, 'Запись');
  await screen.findByRole('heading', { name: 'Ответов пока нет' });
  assert.ok(back());
  await screen.click(author(screen));
  await shows(screen, '/users/anna_k', 'anna_k - Стена', 'anna_k');
  await screen.click(screen.getAllByRole('link', { name: 'Лента' })[0]!);
  await shows(screen, '/', 'Стена', 'Стена');
});

test('missing pages are reported without a page load', async () => {
  await using page = await openFeed();
  for (const [path, heading, says] of [
    ['/posts/999999', 'Запись не найдена', 'Запись не существует или была удалена'],
    ['/users/nobody_here', 'Страница не существует', 'Проверьте корректность адреса'],
    ['/no/such/page', 'Страница не существует', 'Проверьте корректность адреса'],
  ] as const) {
    go(page.screen, path);
    await page.screen.main().findByRole('heading', { name: heading });
    await page.screen.findByText(new RegExp(says));
    await page.screen.until(() => assert.equal(page.screen.window.document.title, `${heading} - Стена`));
    await showsPath(page.screen, path);
  }
});

test('a slow page shows skeletons, and a second click does not send a second request', async () => {
  await using page = await openFeed();
  const { screen } = page;
  const response = Promise.withResolvers<void>();
  const users = /^GET .*\/users\/anna_k$/;
  screen.network.intercept(users, ({ forward }) => response.promise.then(forward));
  const link = author(screen);
  link.click();
  link.click();
  await screen.until(() => assert.ok(isBusy(screen)));
  response.resolve();
  await screen.findByText(/^1 запись · на стене с/);
  await screen.until(() => assert.ok(!isBusy(screen)));
  assert.equal(screen.window.document.title, 'anna_k - Стена');
  assert.equal(callsOf(screen, users).length, 1);
});

test('a page that fails to load can be retried', async () => {
  await using page = await openFeed();
  const { screen } = page;
  const repair = screen.network.intercept(/\/users\/anna_k$/, () => Response.json({}, { status: 503 }));
  await screen.click(cardOf(screen, text).getByRole('link', { name: 'anna_k' }));
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  repair();
  await press(screen, 'Повторить');
  await shows(screen, '/users/anna_k', 'anna_k - Стена', 'anna_k');
});

test('an author is found by the name in another letter case', async () => {
  await using page = await openFeed();
  go(page.screen, '/users/ANNA_K');
  await page.screen.until(() => assert.equal(page.screen.window.document.title, 'anna_k - Стена'));
});
