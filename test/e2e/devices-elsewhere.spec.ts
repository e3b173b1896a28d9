import type { Browser, Page } from '@playwright/test';
import { closeOthersButton, otherSession } from './support/devices.ts';
import { openPage } from './support/app.ts';
import {
  askForCode,
  codeField,
  dialog,
  type Person,
  profileLink,
  restoreSession,
  signInButton,
} from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { keepReadingFromServer } from './support/reading.ts';
import { expect, test } from './support/test.ts';
import { choice, signInNewPerson, textField, toast } from './support/writing.ts';
import type { Wall } from './support/wall.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

const text = 'Кто идёт в субботу на каток?';
const replyButton = (page: Page) => cardOf(page, text).getByRole('button', { name: 'Ответить' });
const likeButton = (page: Page) => cardOf(page, text).getByRole('button', { name: 'Нравится' });

/** Signs in a person in the browser of the test and returns a function that ends that session elsewhere. */
async function signInTwice(page: Page, browser: Browser, wall: Wall) {
  await wall.seed.posts([{ by: await wall.seed.person('boris_petrov'), text }]);
  await keepReadingFromServer(page);
  const person = await signInNewPerson(page, wall);
  await page.getByRole('link', { name: 'Лента' }).click();
  return { person, endElsewhere: () => endFromAnotherBrowser(browser, wall, person) };
}

async function endFromAnotherBrowser(browser: Browser, wall: Wall, person: Person): Promise<void> {
  const context = await browser.newContext({ locale: 'ru-RU' });
  const other = await context.newPage();
  await restoreSession(other, wall, person);
  await other.goto(`${wall.url}/settings/devices`);
  await otherSession(other, /^Chrome/).click();
  await choice(other, 'Завершить сеанс').click();
  await expect(toast(other, 'Сессия завершена')).toBeVisible();
  await context.close();
}

test('the next like finds the session ended and is reverted', async ({ page, browser, ownWall, pageErrors }) => {
  pageErrors.expect(/401/);
  const { endElsewhere } = await signInTwice(page, browser, ownWall);
  await endElsewhere();
  await likeButton(page).click();
  await expect(signInButton(page)).toBeVisible();
  await expect(likeButton(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(page).toHaveURL(`${ownWall.url}/`);
});

test('the next reply asks to sign in and preserves the text', async ({ page, browser, ownWall, mail, pageErrors }) => {
  test.setTimeout(60_000);
  pageErrors.expect(/401/);
  const { person, endElsewhere } = await signInTwice(page, browser, ownWall);
  await replyButton(page).click();
  await textField(page).fill('Я иду, встречаемся у входа');
  await endElsewhere();
  await choice(page, 'Опубликовать').click();
  await expect(dialog(page)).toBeVisible();
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(page.getByRole('dialog', { name: 'Ответ' })).toBeVisible();
  await expect(textField(page)).toHaveValue('Я иду, встречаемся у входа');
  await choice(page, 'Опубликовать').click();
  await expect(toast(page, 'Опубликовано')).toBeVisible();
});

test('opening the settings leads to the feed', async ({ page, browser, ownWall, pageErrors }) => {
  pageErrors.expect(/401/);
  const { endElsewhere } = await signInTwice(page, browser, ownWall);
  await endElsewhere();
  await profileLink(page).click();
  await expect(signInButton(page)).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/`);
});

test('opening the devices page leads to the feed', async ({ page, browser, ownWall, pageErrors }) => {
  pageErrors.expect(/401/);
  const { endElsewhere } = await signInTwice(page, browser, ownWall);
  await openPage(page, `${ownWall.url}/settings`);
  await endElsewhere();
  await page.goto(`${ownWall.url}/settings/devices`);
  await expect(page).toHaveURL(`${ownWall.url}/`);
  await expect(signInButton(page)).toBeVisible();
});

test('ending all other sessions keeps only this browser signed in', async ({ page, browser, ownWall, pageErrors }) => {
  test.setTimeout(60_000);
  pageErrors.expect(/401/);
  const { person } = await signInTwice(page, browser, ownWall);
  const context = await browser.newContext({ locale: 'ru-RU' });
  const other = await context.newPage();
  await restoreSession(other, ownWall, person);
  await other.goto(`${ownWall.url}/settings/devices`);
  await closeOthersButton(other).click();
  await choice(other, 'Завершить').click();
  await expect(toast(other, 'Сессии завершены')).toBeVisible();

  await likeButton(page).click();
  await expect(signInButton(page)).toBeVisible();
  await other.reload();
  await expect(other.getByText('Других сеансов нет')).toBeVisible();
  await context.close();
});
