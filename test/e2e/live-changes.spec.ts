import type { Locator } from '@playwright/test';
import type { PostPage } from '#contract/posts.ts';
import { cardOf, scrollToPost, layoutIsStable } from './support/feed.ts';
import { filledWall, open } from './support/live.ts';
import { newPerson, signIn, signOut } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const heart = (card: Locator): Locator => card.getByRole('button', { name: 'Нравится' });

test('a post deleted above the visible ones causes no shift', async ({ page, ownWall }) => {
  await filledWall(ownWall, 60);
  await open(page, ownWall.url);
  await scrollToPost(page, 45);
  await layoutIsStable(page);
  const middle = cardOf(page, 'Запись 42');
  const response = await page.request.get(`${ownWall.url}/api/v1/posts?limit=50`);
  const { posts }: PostPage = await response.json();
  for (const [where, place, left] of [
    ['among windowed posts', 30, '41'],
    ['on the first page', 3, '40'],
  ] as const) {
    await test.step(where, async () => {
      const before = (await middle.boundingBox())!;
      await ownWall.seed.remove(Number(posts[place - 1]!.id));
      await expect(middle).toHaveAttribute('aria-posinset', left);
      await layoutIsStable(page);
      // Windows scroll by whole pixels.
      expect(Math.abs((await middle.boundingBox())!.y - before.y)).toBeLessThan(1);
    });
  }
});

test('the likes of the signed-in person appear once the session is loaded, in every tab', async ({
  page,
  context,
  mail,
  ownWall,
}) => {
  const by = await filledWall(ownWall, 3);
  const me = await newPerson(ownWall);
  const [root] = await ownWall.seed.posts([{ by, text: 'Вопрос' }]);
  const [reply] = await ownWall.seed.replies(root!, [{ by, text: 'Мысль' }]);
  for (const id of [root!, reply!]) await ownWall.seed.like(id, me.id);
  const thread = await context.newPage();
  await open(thread, `${ownWall.url}/posts/${root}`);

  await signIn(page, mail, ownWall.url, me);
  await expect(heart(cardOf(page, 'Вопрос'))).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(cardOf(page, 'Запись 1'))).toHaveAttribute('aria-pressed', 'false');
  for (const text of ['Вопрос', 'Мысль']) {
    await expect(heart(cardOf(thread, text))).toHaveAttribute('aria-pressed', 'true');
  }
  await signOut(page);
  for (const text of ['Вопрос', 'Мысль']) {
    await expect(heart(cardOf(thread, text))).toHaveAttribute('aria-pressed', 'false');
  }
});
