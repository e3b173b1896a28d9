import type { Page } from '@playwright/test';
import { paths } from './support/account.ts';
import { hydrated, openPage } from './support/app.ts';
import { restoreSession, signInButton } from './support/sign-in.ts';
import { longName } from './support/populated-wall.ts';
import { expectReflowed, widenText } from './support/reflow.ts';
import { expect, test } from './support/test.ts';
import { choose, menuButton, newPostButton, publish, textField } from './support/writing.ts';

/** A window of 1280 px at 400 % (WCAG 1.4.10). */
test.use({ viewport: { width: 320, height: 256 } });

test('at 400 % a visitor can read everything', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/404/);
  const { ids } = wall;
  const screens = [
    '/',
    `/posts/${ids.longWord}`,
    `/posts/${ids.nested}`,
    `/users/${longName}`,
    '/posts/0',
    '/settings',
    '/search',
    '/search?q=example',
    `/search?q=${'ж'.repeat(199)}`,
  ];
  for (const path of screens) await expectScreen(page, wall.url + path);
  await page.goto('/');
  await hydrated(page);
  await signInButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectReflowed(page, 'signing in');
});

test('at 400 % a signed-in person can do everything', async ({ page, ownWall }) => {
  const id = await ownWall.seed.person(longName);
  const galina = await ownWall.seed.person('galina_m');
  const [root, theirs] = await ownWall.seed.posts([
    { by: id, text: 'Корень' },
    { by: galina, text: 'Чужая запись' },
  ]);
  await ownWall.seed.replies(root!, [{ by: galina, text: 'Ответ' }]);
  await restoreSession(page, ownWall, { id, name: longName });

  const screens = ['/', '/liked', '/notifications', `/posts/${theirs}`, '/settings/devices', '/settings/muted'];
  for (const path of [...screens, ...Object.values(paths)]) await expectScreen(page, ownWall.url + path);

  await page.goto(ownWall.url);
  await publish(page, 'ж'.repeat(40));
  await newPostButton(page).click();
  await textField(page).fill('ж'.repeat(501));
  await expectReflowed(page, 'writing');
  await page.keyboard.press('Escape');
  await menuButton(page, 'Чужая запись').click();
  await expectReflowed(page, 'the menu');
  await page.keyboard.press('Escape');
  await choose(page, 'Чужая запись', 'Пожаловаться');
  await page.getByRole('radio').first().waitFor();
  await expectReflowed(page, 'reporting');
  await page.keyboard.press('Escape');
  await choose(page, 'Корень', 'Удалить');
  await expectReflowed(page, 'deleting');
});

test('at 400 % no bar covers the focused element', async ({ page }) => {
  await openPage(page, '/');
  for (let press = 0; press < 24; press += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(coveredFocus)).toBeNull();
  }
});

/** The name of the focused element if a bar covers its centre. */
function coveredFocus(): string | null {
  const here = document.activeElement!;
  const { x, y, width, height } = here.getBoundingClientRect();
  const upon = document.elementFromPoint(x + width / 2, y + Math.min(height, innerHeight) / 2);
  const bar = upon?.closest('header, nav');
  return bar && !bar.contains(here) ? here.textContent : null;
}

/** Runs with the default text spacing and with the wider one. */
async function expectScreen(page: Page, address: string): Promise<void> {
  await openPage(page, address);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await expectReflowed(page, address);
  await widenText(page);
  await expectReflowed(page, `${address}, wider text`);
}
