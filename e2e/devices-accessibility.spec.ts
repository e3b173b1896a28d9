import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { closeOthersButton, noOthers, openDevices, others, otherSession } from './support/devices.ts';
import { expect, test } from './support/test.ts';
import { choice, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('the list is accessible in both themes on phone and desk', async ({ page, ownWall, mail }) => {
  await openDevices(page, ownWall, mail);
  await expectAccessible(page);
});

test('so are the details of a session', async ({ page, ownWall, mail }) => {
  await openDevices(page, ownWall, mail);
  await otherSession(page, 'Safari 26').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});

test('so are the question before ending the others, and the empty list after it', async ({ page, ownWall, mail }) => {
  test.setTimeout(60_000);
  await openDevices(page, ownWall, mail);
  await closeOthersButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await choice(page, 'Завершить').click();
  await expect(noOthers(page)).toBeVisible();
  await expectAccessible(page);
});

test('by keyboard alone', async ({ page, ownWall, mail }) => {
  await openDevices(page, ownWall, mail);
  await tabTo(page, /^Safari 26/);
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(otherSession(page, 'Safari 26')).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Сессия завершена')).toBeVisible();
  await expect(others(page)).toHaveCount(1);

  // From the heading, where the focus is now.
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
