import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { expectAccessible } from './support/accessible.ts';
import { holdBack } from './support/code-files.ts';
import { articles, cardOf } from './support/feed.ts';
import { desk, phone } from './support/screens.ts';
import { searchPath } from './support/search.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { profileLink, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { signInNewPerson } from './support/writing.ts';

/** A wall with the word in root posts and replies. The person who is signed in hides «лифты» and has written about one. */
async function openHidden(page: Page, wall: Wall) {
  const { seed, url } = wall;
  const [oleg, vera] = [await seed.person('oleg_v'), await seed.person('vera_s')];
  const me = await signInNewPerson(page, wall);
  // Times that get longer while a page is open would move.
  const age = 3_600;
  const [repair, , walk] = await seed.posts([
    { by: oleg, text: 'Лифтом опять нельзя пользоваться', age },
    { by: me.id, text: 'Мой лифт', age },
    { by: vera, text: 'Гуляли в парке', age },
    { by: oleg, text: 'Дождь кончился. Кто чинит #лифт?', age },
    { by: vera, text: 'Тихое утро', age },
  ]);
  const [reply] = await seed.replies(walk!, [
    { by: oleg, text: 'А мы застряли в лифте', age },
    { by: vera, text: 'Хорошая погода', age },
  ]);
  const [below] = await seed.replies(reply!, [{ by: vera, text: 'Сочувствую', age }]);
  await seed.word(me.id, 'лифты', 'hide');
  await openPage(page, url);
  await expect(cardOf(page, 'Лифтом')).toHaveCount(0);
  return { oleg, vera, me, repair: repair!, walk: walk!, reply: reply!, below: below! };
}

const visible = (page: Page, text: string | RegExp) =>
  page
    .getByText(text)
    .evaluateAll((nodes) =>
      nodes.filter((node) => node.checkVisibility({ visibilityProperty: true })).map((node) => node.textContent),
    );

test('nothing with a hidden word is in the first paint, and nothing moves after it', async ({ page, ownWall }) => {
  const { walk, below } = await openHidden(page, ownWall);
  await watchShift(page);
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport);
    for (const path of [
      '/',
      '/discussed',
      '/following',
      `/posts/${walk}`,
      `/posts/${below}`,
      '/users/oleg_v',
      searchPath('дождь'),
    ]) {
      await openPage(page, ownWall.url + path);
      await expect(profileLink(page)).toBeAttached();
      await expectNoShift(page);
    }
  }
  // The parser waits for the script that finds the words.
  const held = await holdBack(page, '**/assets/hidden-words-*.js');
  const found = page.waitForRequest('**/assets/hidden-words-*.js');
  await page.goto(ownWall.url, { waitUntil: 'commit' });
  await found;
  expect(await page.locator('article').count()).toBe(0);
  held.resolve();
  await expect(cardOf(page, 'Тихое утро')).toBeVisible();
  // Without its app the page stays as it is before hydration.
  await page.route('**/assets/main-*.js', () => {});
  for (const [path, shown] of [
    ['/', 'Тихое утро'],
    [`/posts/${walk}`, 'Хорошая погода'],
    [`/posts/${below}`, 'Сочувствую'],
  ] as const) {
    await page.goto(ownWall.url + path, { waitUntil: 'commit' });
    await expect.poll(() => visible(page, shown)).not.toEqual([]);
    // One’s own post is shown.
    expect(await visible(page, /лифт/i), path).toEqual(path === '/' ? ['Мой лифт'] : []);
  }
});

test('lists have no row, discussions a line that can be opened, and replies below it stay', async ({
  page,
  ownWall,
}) => {
  const { walk, below, oleg, vera, me } = await openHidden(page, ownWall);
  const main = page.getByRole('main');
  await expect(articles(page)).toHaveCount(3);
  await expect(cardOf(page, 'Мой лифт')).toBeVisible();
  expect(await (await fetch(ownWall.url)).text()).toContain('Лифтом опять');

  await cardOf(page, 'Гуляли в парке').locator('time').first().click();
  const line = articles(page).filter({ hasText: 'скрытое слово «лифты»' });
  await expect(line).toHaveAccessibleDescription('скрытое слово «лифты»');
  await expect(main).not.toContainText('застряли');
  await expect(cardOf(page, 'Сочувствую')).toBeVisible();
  await expectAccessible(page);
  await line.getByRole('button', { name: 'Показать', exact: true }).click();
  await expect(articles(page).filter({ hasText: 'А мы застряли в лифте' })).toBeFocused();

  await openPage(page, `${ownWall.url}/posts/${below}`);
  await expect(page.getByRole('link', { name: 'oleg_v скрытое слово «лифты»' })).toBeVisible();

  await openPage(page, ownWall.url);
  await ownWall.seed.posts([
    { by: oleg, text: 'Лифт поехал' },
    { by: vera, text: 'Тихий вечер' },
  ]);
  await page.getByRole('button', { name: 'Показать новые: 1' }).click();
  await expect(cardOf(page, 'Тихий вечер')).toBeVisible();
  await expect(main).not.toContainText('Лифт поехал');

  await ownWall.seed.removeWord(me.id, 'лифты');
  const other = await page.context().newPage();
  await openPage(other, `${ownWall.url}/posts/${walk}`);
  await expect(cardOf(other, 'А мы застряли в лифте')).toBeVisible();
  // The other tab shows the posts again, too.
  await expect(cardOf(page, 'Лифт поехал')).toBeVisible();

  await ownWall.seed.word(me.id, 'лифты', 'hide');
  await openPage(other, ownWall.url);
  await expect(cardOf(page, 'Лифт поехал')).toHaveCount(0);
  await other.close();
  await signOut(page);
  await expect(cardOf(page, 'Лифт поехал')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('hidden-words'))).toBeNull();
});
