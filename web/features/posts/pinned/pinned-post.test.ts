import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Screen } from '../../../../test/kit/screen/open-screen.ts';
import { cards, hasTexts } from '../../../../test/kit/screen/posts.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';
import { openOn, openSeeded } from '../../../../test/kit/screen/seeded.ts';

/** CSS shows one of the two: above the feed, or in the right column. */
const both = (screen: Screen) => screen.queryAllByRole('region', { name: 'Объявление' });
const pinned = (screen: Screen) => both(screen)[0] ?? null;
const shows = (screen: Screen, text: string): Promise<void> =>
  screen.until(() => assert.match(textOf(pinned(screen)), new RegExp(text)));
const newest = ['Запись 4', 'Запись 3', 'Запись 2', 'Запись 1'];

/** The feed of a visitor, with four posts of which one is the pinned post. */
async function openPinned(index: number) {
  const wall = await openSeeded();
  const ids = await wall.seed.posts(newest.toReversed().map((text) => ({ by: wall.me, text })));
  const pin = (which: number) => wall.operator('pin', `${ids[which]}`, '--reason', 'важно');
  await pin(index);
  return { ...(await openOn(wall, '/', { asVisitor: true })), ids, pin };
}

test('a closed pinned post stays closed until there is another one', async () => {
  await using page = await openPinned(0);
  await shows(page.screen, 'Запись 1');
  await page.screen.until(() => assert.equal(both(page.screen).length, 2));
  // CSS goes by it, from the first bytes.
  assert.match((await page.wall.get('/')).text, /<main.*data-beside="true".*<\/main>/);
  await page.screen.click(queriesIn(both(page.screen)[1]!).getByRole('button', { name: 'Закрыть объявление' }));
  await page.screen.until(() => assert.ok(pinned(page.screen) === null));
  await page.screen.until(() => assert.ok(page.screen.focused() === cards(page.screen)[0]));
  const closed = await page.screen.reload();
  await hasTexts(closed, newest);
  assert.ok(pinned(closed) === null);
  await page.pin(2);
  await closed.until(async () => assert.match((await page.wall.get('/')).text, /data-pin="3"/));
  await using screen = await closed.reload();
  await shows(screen, 'Запись 3');
});

test('the post stands in the list only for those who have closed the pinned post', async () => {
  await using page = await openPinned(2);
  const { screen: first } = page;
  await shows(first, 'Запись 3');
  assert.equal(pinned(first)!.querySelector('a[href^="/users/"]')?.textContent, page.person.name);
  await hasTexts(first, newest.toSpliced(1, 1));
  await first.click(queriesIn(pinned(first)!).getByRole('button', { name: 'Закрыть объявление' }));
  await hasTexts(first, newest);
  const closed = await first.reload();
  await hasTexts(closed, newest);
  closed.window.localStorage.clear();
  await using screen = await closed.reload();
  await hasTexts(screen, newest.toSpliced(1, 1));
});

test('a deleted pinned post leaves the page', async () => {
  await using page = await openPinned(0);
  await shows(page.screen, 'Запись 1');
  await page.wall.seed.remove(page.ids[0]!);
  await page.screen.until(() => assert.ok(pinned(page.screen) === null));
});
