import type { Page } from '@playwright/test';
import { noOthers, openDevices, others, otherSession } from './support/devices.ts';
import { expect, test } from './support/test.ts';
import { choice, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('sessions are seen and ended by keyboard alone', async ({ page, ownWall }) => {
  await openDevices(page, ownWall);
  await tabTo(page, /^Safari 26/);
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(otherSession(page, 'Safari 26')).toBeFocused();
  await expect(page.locator('dialog h2')).toHaveCount(0);

  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Сессия завершена')).toBeVisible();
  await expect(others(page)).toHaveCount(1);

  // Tab continues from the heading, which has the focus.
  await tabTo(page, 'Завершить другие сеансы');
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Сессии завершены')).toBeVisible();
  await expect(noOthers(page)).toBeVisible();
});

async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole('main').getByRole('button', { name });
  for (let i = 0; i < 25; i += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}
