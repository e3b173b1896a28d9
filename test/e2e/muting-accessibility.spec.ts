import { expectAccessible } from './support/accessible.ts';
import { articles, cardOf } from './support/feed.ts';
import {
  expectMuted,
  loud,
  loudText,
  muteButton,
  opener,
  collapsedPost,
  seedAuthors,
  texts,
} from './support/muting.ts';
import { expect, test } from './support/test.ts';
import { signInNewPerson, menuButton } from './support/writing.ts';

test('works by keyboard and is accessible in both themes', async ({ page, ownWall }) => {
  await seedAuthors(ownWall);
  await signInNewPerson(page, ownWall);
  await menuButton(page, texts.loud).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  for (let item = 1; item <= 3; item += 1) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Не показывать автора' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectMuted(page);
  await expect(menuButton(page, loud)).toBeFocused();
  expect((await collapsedPost(page).boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);

  await articles(page).first().focus();
  await page.keyboard.press('PageDown');
  await expect(collapsedPost(page)).toBeFocused();
  await expect(collapsedPost(page)).toHaveAccessibleName(loud);
  await expect(collapsedPost(page)).toHaveAccessibleDescription('автор скрыт');
  await expect(collapsedPost(page)).toHaveAttribute('aria-posinset', '2');
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await expect(collapsedPost(page)).toBeFocused();
  await expect(loudText(page)).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(cardOf(page, texts.disputed)).toBeFocused();

  for (const path of [`/users/${loud}`, '/settings/muted']) {
    await page.goto(ownWall.url + path);
    await expect(muteButton(page)).toBeVisible();
    await expectAccessible(page);
  }
});
