import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import { quiet } from './support/app.ts';
import { mainButton, usernameField } from './support/account.ts';
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

test('after registration a banner offers to choose a username', async ({ page, wall, mail }) => {
  await register(page, mail, wall.url);
  const given = await profileLink(page).innerText();
  await expect(offer(page)).toContainText(`Ваше имя пока ${given}.`);
  await offer(page).getByRole('link', { name: 'Выбрать своё' }).click();
  await expect(offer(page)).toHaveCount(0);
  await usernameField(page).fill(`chosen_${given.slice(5)}`);
  await mainButton(page, 'Сохранить').click();
  await expect(toast(page, 'Имя изменено')).toBeVisible();
  await page.goto(wall.url);
  await expect(profileLink(page)).toHaveText(`chosen_${given.slice(5)}`);
  await expect(offer(page)).toHaveCount(0);
});

test('a declined offer never appears again', async ({ page, wall, mail }) => {
  await register(page, mail, wall.url);
  await offer(page).getByRole('button', { name: 'Не сейчас' }).click();
  await expect(offer(page)).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  await page.reload();
  await expect(profileLink(page)).toBeVisible();
  await quiet(page);
  await expect(offer(page)).toHaveCount(0);
});

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
