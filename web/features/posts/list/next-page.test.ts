import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '#contract/limits.ts';
import { failures } from '../../../../test/kit/screen/failures.ts';
import { openScreen, type Screen } from '../../../../test/kit/screen/open-screen.ts';
import { callsOf, scrollUntil } from '../../../../test/kit/screen/posts.ts';
import { openSeeded } from '../../../../test/kit/screen/seeded.ts';
import { textOf } from '../../../../test/kit/screen/queries.ts';

const nextPage = /\/posts\?.*cursor=/;
const noNetwork = 'Нет соединения. Проверьте сеть';

/** A wall with two pages of posts by two authors; the newest is by Boris. */
async function openTwoPages() {
  const wall = await openSeeded();
  const boris = await wall.seed.person('boris_petrov');
  await wall.seed.posts(
    Array.from({ length: 2 * limits.pageSize }, (_, index) => ({
      by: index % 2 ? boris : wall.me,
      text: `Запись ${2 * limits.pageSize - index}`,
      age: 3_600,
    })),
  );
  return wall;
}

/** Scrolls to the end of the list. */
async function goToEnd(screen: Screen): Promise<void> {
  screen.show(screen.getByRole('feed').nextElementSibling!);
  await screen.clock.advance(limits.scrollLoadMs);
}

const alertSays = (screen: Screen, text: string): Promise<void> =>
  screen.until(() => assert.ok(textOf(screen.main().getByRole('alert')).includes(text)));
const noAlert = (screen: Screen): Promise<void> =>
  screen.until(() => assert.ok(screen.main().queryByRole('alert') === null));
const offlineLine = (screen: Screen) =>
  screen.queryAllByRole('status').filter((each) => /Нет соединения/.test(textOf(each))).length;

for (const { what, respond, says } of failures) {
  test(`after ${what} the next page reports it and can be retried`, async () => {
    await using wall = await openTwoPages();
    await using screen = await openScreen(wall, '/');
    const recover = screen.network.intercept(nextPage, respond);
    await goToEnd(screen);
    await alertSays(screen, says);
    recover();
    await screen.click(screen.getByRole('button', { name: 'Повторить' }));
    await noAlert(screen);
    await scrollUntil(screen, 2 * limits.pageSize);
  });
}

test('a failed page is not retried automatically', async () => {
  await using wall = await openTwoPages();
  await using screen = await openScreen(wall, '/');
  screen.network.intercept(nextPage, () => Response.json({}, { status: 500 }));
  await goToEnd(screen);
  await screen.until(() => screen.main().getByRole('alert'));
  screen.show(screen.getByRole('feed').nextElementSibling!, 0);
  await goToEnd(screen);
  await screen.clock.advance(5 * limits.scrollLoadMs);
  assert.equal(callsOf(screen, nextPage).length, 1);
});

test('shows that the browser is offline; back online the list continues by itself', async () => {
  await using wall = await openTwoPages();
  await using screen = await openScreen(wall, '/');
  assert.equal(offlineLine(screen), 0);
  screen.network.setOnline(false);
  await screen.until(() => assert.equal(offlineLine(screen), 1));
  await goToEnd(screen);
  await alertSays(screen, noNetwork);
  screen.network.setOnline(true);
  await screen.until(() => assert.equal(offlineLine(screen), 0));
  await noAlert(screen);
  await scrollUntil(screen, 2 * limits.pageSize);
});

test('a page requested offline loads by itself when the network returns', async () => {
  await using wall = await openTwoPages();
  await using screen = await openScreen(wall, '/');
  screen.network.setOnline(false);
  await screen.click(screen.getAllByRole('link', { name: 'boris_petrov' })[0]!);
  await screen.findByRole('heading', { name: 'Не удалось загрузить' });
  screen.network.setOnline(true);
  await screen.until(() => assert.equal(screen.window.document.title, 'boris_petrov - Стена'));
});

test('an empty feed says so and offers nothing more', async () => {
  await using wall = await openSeeded();
  await using screen = await openScreen(wall, '/');
  screen.getByRole('heading', { name: 'Записи не найдены' });
  screen.main().getByText('Возможно, записи скоро появятся');
  assert.ok(screen.queryByRole('button', { name: 'Показать ещё' }) === null);
});
