import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import {
  askForCode,
  button,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  type Person,
  profileLink,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';

interface Awaited {
  person: Person;
  code: string;
}

async function awaitCode(page: Page, wall: Wall, mail: MailServer): Promise<Awaited> {
  const person = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, person.email);
  return { person, code: await mail.codeTo(person.email) };
}

test('pasting finds the code in the surrounding text', async ({ page, context, wall, mail }) => {
  await context.grantPermissions(['clipboard-write']);
  const { person, code } = await awaitCode(page, wall, mail);
  const text = `код ${code.slice(0, 2)}-${code.slice(2, 4)} ${code.slice(4)}`;
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('ControlOrMeta+V');
  await expect(profileLink(page)).toHaveText(person.name);
});

test('the wait from a 429 response counts down without repeated announcements', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/429/);
  await page.route('**/api/v1/logins', (route) => {
    const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
    return route.fulfill({ status: 429, headers: { 'retry-after': '4' }, json });
  });
  await openDialog(page, wall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  const alert = dialog(page).getByRole('alert');
  await expect(alert).toContainText('через 4 сек.');
  await expect(alert).toContainText(/через\s[12]\sсек\./);
  await expect(alert).toMatchAriaSnapshot('- alert: Слишком много запросов. Повторить можно через 4 сек.');
  await expect(alert).toContainText('Повторить можно уже сейчас.');
});
