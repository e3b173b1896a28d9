import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { button, codeField, dialog, emailField, newAddress, openDialog, profileLink } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

const box = (page: Page) => dialog(page).getByRole('checkbox', { name: /^Я согласен\(на\) на\s/ });
const proceed = (page: Page) => button(page, 'Продолжить');

let folder: string;
test.beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pages-'))));
test.afterEach(() => rm(folder, { recursive: true }));

const writeConsent = (text: string): Promise<void> => writeFile(join(folder, 'consent.md'), text);

/** Opens the step of registration for a new address. */
async function offer(page: Page, wall: Wall): Promise<string> {
  const email = newAddress();
  await openDialog(page, wall.url);
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(proceed(page)).toBeEnabled();
  return email;
}

test('registration starts only with a consent that the person has ticked', async ({
  page,
  ownWall,
  mail,
  pageErrors,
}) => {
  pageErrors.expect(/400/);
  await writeConsent('# Согласие\n\nСогласен на обработку.');
  await ownWall.restart({ PAGES_DIR: folder });
  const email = await offer(page, ownWall);
  await expect(box(page)).not.toBeChecked();
  const starts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/registrations')) starts.push(request.postDataJSON().consent);
  });
  await proceed(page).click();
  await expect(dialog(page).getByRole('alert')).toHaveText(/^Без\sсогласия/);
  await expect(box(page)).toBeFocused();
  expect(starts).toEqual([]);
  await expectAccessible(page);

  const opened = page.waitForEvent('popup');
  await dialog(page).getByRole('link', { name: 'обработку персональных данных' }).click();
  const text = await opened;
  await expect(text.getByRole('heading', { level: 1 })).toHaveText('Согласие');
  await text.close();
  await expect(box(page)).not.toBeChecked();

  await box(page).press('Space');
  await expect(box(page)).toBeChecked();
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
  await proceed(page).click();
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toBeVisible();
  expect(starts).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});
