import type { Page } from '@playwright/test';
import { profileLink } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { signInNewPerson } from './support/writing.ts';

const text = 'Сегодня первый снег';
const heart = (page: Page) => cardOf(page, text).first().getByRole('button', { name: 'Нравится' });

test('a like and its removal appear in the other tabs', async ({ page, context, ownWall }) => {
  const id = await snow(ownWall);
  await signInNewPerson(page, ownWall);
  const other = await context.newPage();
  await other.goto(`${ownWall.url}/posts/${id}`);
  await expect(profileLink(other)).toBeVisible();
  await heart(page).click();
  await expect(heart(other)).toHaveAttribute('aria-pressed', 'true');
  await expect(heart(other)).toContainText('5');
  await heart(other).click();
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(heart(page)).toContainText('4');
});

/** A post that four people like. */
async function snow({ seed }: Wall): Promise<number> {
  const by = await seed.person('galina_m');
  const [id] = await seed.posts([{ by, text }]);
  for (let number = 1; number <= 4; number += 1) await seed.like(id!, await seed.person(`liker_${number}`));
  return id!;
}
