import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expect, test } from './support/test.ts';
import { menuButton, signInNewPerson } from './support/writing.ts';

test('nothing in the menu moves when it is known whether one follows, and it is accessible', async ({
  page,
  ownWall,
}) => {
  const text = 'Кто идёт на каток?';
  const boris = await ownWall.seed.person('boris_petrov');
  const [post] = await ownWall.seed.posts([{ by: boris, text }]);
  const { id } = await signInNewPerson(page, ownWall);
  await ownWall.seed.follow(post!, id);
  const response = Promise.withResolvers<void>();
  await page.route('**/api/v1/posts/*/follow', async (route) => {
    await response.promise;
    await route.continue();
  });
  await menuButton(page, text).click();
  const item = page.getByRole('menuitem', { name: /^Следить\sза\sобсуждением$/ });
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  const before = await boxes(page);
  response.resolve();
  await expect(page.getByRole('menuitem', { name: /^Не\sследить$/ })).toBeEnabled();
  expect(await boxes(page)).toEqual(before);
  await expectAccessible(page);
});

const boxes = (page: Page) =>
  page
    .locator('[role=menu], [role=menuitem]')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
