import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { bakeries, question, type Sample, seedDiscussion } from '../kit/sample-discussion.ts';
import { cardOf } from './support/feed.ts';
import { expectStored, watchWrites } from './support/reading.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { signInNewPerson } from './support/writing.ts';

const next = (page: Page) => page.getByRole('button', { name: /^К\sследующему\sновому:\s\d+$/ });
const marked = (page: Page) => page.getByRole('article').filter({ hasText: 'Новый ответ' });

/** Opens a discussion, reads its newest post, leaves, and returns when there are new replies. */
async function visitAgain(
  page: Page,
  wall: Wall,
  tree: readonly Sample[],
  write: (ids: Map<string, number>) => Promise<unknown>,
) {
  const ids = await seedDiscussion(wall, question, tree);
  const address = `${wall.url}/posts/${ids.get(question)}`;
  await openPage(page, address);
  const newest = Math.max(...ids.values());
  const [text] = [...ids].find(([, id]) => id === newest)!;
  await cardOf(page, text).evaluate((card) => card.scrollIntoView({ block: 'center' }));
  await expectStored(page, `thread:${ids.get(question)}`, newest);
  await expect(marked(page)).toHaveCount(0);
  await page.goto('about:blank');
  await write(ids);
  await openPage(page, address);
  return ids;
}

test('replies since the last visit are marked, and a key goes from one to the next', async ({ page, ownWall }) => {
  await watchShift(page);
  const by = await ownWall.seed.person('newcomer');
  await visitAgain(page, ownWall, bakeries, async (ids) => {
    await ownWall.seed.replies(ids.get('Спасибо, зайду завтра!')!, [{ by, text: 'Глубоко внизу' }]);
    await ownWall.seed.replies(ids.get('Поддерживаю, 2.')!, [{ by, text: 'Повыше' }]);
  });
  await expect(next(page)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^К\sследующему\sновому:\s\d+$/ })).toHaveCount(1);
  await expectNoShift(page);
  await page.keyboard.press('u');
  await expect(cardOf(page, 'Повыше').last()).toBeFocused();
  await expect(cardOf(page, 'Повыше').last()).toHaveAccessibleName(/^Новый\sответ newcomer/);
  await page.keyboard.press('u');
  await expect(cardOf(page, 'Глубоко внизу').last()).toBeFocused();
  await expect(marked(page).last()).toBeInViewport({ ratio: 1 });
  await expect(next(page)).toHaveCount(0);
});

test('a person’s last visit is on the server, and their own replies are not new', async ({ page, ownWall }) => {
  const writes = await watchWrites(page);
  const me = await signInNewPerson(page, ownWall);
  const ids = await seedDiscussion(ownWall, question, bakeries);
  const [root, newest] = [ids.get(question)!, Math.max(...ids.values())];
  await openPage(page, `${ownWall.url}/posts/${newest}`);
  await expect.poll(() => writes).toContain(`thread:${root} ${newest} keepalive`);
  await page.goto(`${ownWall.url}/favicon.svg`);
  const by = await ownWall.seed.person('newcomer');
  await ownWall.seed.replies(root, [
    { by: me.id, text: 'Мой с телефона' },
    { by, text: 'Чужой' },
  ]);
  // The reply is below the middle of a low window, where it would be read by being seen.
  await page.setViewportSize({ width: 1280, height: 400 });
  await openPage(page, `${ownWall.url}/posts/${root}`);
  await expect(next(page)).toBeVisible();
  await expect(cardOf(page, 'Мой с телефона')).toBeVisible();
  await expect(marked(page)).toHaveCount(1);
  await next(page).click();
  await expect(cardOf(page, 'Чужой')).toBeFocused();
  await expect(next(page)).toHaveCount(0);
});
