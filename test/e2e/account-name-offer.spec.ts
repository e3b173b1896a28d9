import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import { usernameField } from './support/account.ts';
import { button, codeField, emailField, newAddress, openDialog, profileLink } from './support/sign-in.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { publish, toast } from './support/writing.ts';

const offer = (page: Page) => page.getByRole('complementary', { name: 'Имя пользователя' });

async function register(page: Page, mail: MailServer, address: string): Promise<void> {
  const email = newAddress();
  await openDialog(page, address);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await button(page, 'Продолжить').click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(/^user_[a-z0-9]{8}$/);
}

test.beforeEach(({ pageErrors }) => pageErrors.expect(/400/));

test('the banner causes no layout shift when it appears or disappears', async ({ page, wall, mail }) => {
  await register(page, mail, wall.url);
  await watchShift(page);
  await page.reload();
  await expect(offer(page)).toBeVisible();
  await offer(page).getByRole('button', { name: 'Не сейчас' }).click();
  await expect(offer(page)).toHaveCount(0);
  await expectNoShift(page);
});

for (const [name, size] of Object.entries({ phone, tablet, desk })) {
  test(`on a ${name} a toast is above it`, async ({ page, ownWall, mail }) => {
    await page.setViewportSize(size);
    await register(page, mail, ownWall.url);
    await expect(offer(page)).toBeVisible();
    await publish(page, 'Всем привет');
    await expect(toast(page, 'Опубликовано')).toBeVisible();
    const box = await toast(page, 'Опубликовано').getByText('Опубликовано').boundingBox();
    const offered = await offer(page).getByText('Ваше имя пока').boundingBox();
    expect(box!.y + box!.height).toBeLessThan(offered!.y);
    await offer(page).getByRole('link', { name: 'Выбрать своё' }).click();
    await expect(usernameField(page)).toBeVisible();
  });
}
