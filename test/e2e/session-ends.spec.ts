import type { Page } from '@playwright/test';
import { mainButton } from './support/account.ts';
import { dialogLeft, openPage, reloadPage } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { dialog, newPerson, profileLink, restoreSession, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, choice, newPostButton, publish, signInNewPerson, textField } from './support/writing.ts';

const reason = 'Реклама в каждом ответе';
const notice = (page: Page) => page.getByRole('dialog', { name: 'Учётная запись заблокирована' });
const form = (page: Page) => page.getByRole('dialog', { name: 'Новая запись', includeHidden: true });
const like = (page: Page) =>
  cardOf(page, 'Доброе утро').getByRole('button', { name: /^Нравится/, includeHidden: true });

test.use({ settings: { CONTACT: 'mailto:keeper@wall.example' } });

/** Signs in a person who has published a post and writes another one. */
async function openWriting(page: Page, wall: Wall) {
  // At any time a tab writes how far a person has read, and would learn of the block.
  await page.route('**/users/current/reading', (route) => route.fulfill({ status: 204 }));
  const person = await signInNewPerson(page, wall);
  await publish(page, 'Доброе утро');
  await dialogLeft(page);
  await newPostButton(page).click();
  await textField(page).fill('Ещё кое-что');
  return { ...person, act: (act: 'block') => wall.admin(act, person.name, '--reason', reason) };
}

test('a blocked person sees why and keeps the draft', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/403/);
  const { act } = await openWriting(page, ownWall);
  await act('block');
  await choice(page, 'Опубликовать').click();
  await expect(notice(page)).toContainText(`Причина: ${reason}`);
  for (const [name, href] of [
    ['keeper@wall.example', 'mailto:keeper@wall.example'],
    ['Правила', '/rules'],
  ] as const)
    await expect(notice(page).getByRole('link', { name })).toHaveAttribute('href', href);
  await choice(page, 'Понятно').click();
  await expect(textField(page)).toHaveValue('Ещё кое-что');
  await page.keyboard.press('Escape');
  await expect(signInButton(page)).toBeVisible();
  await expect(cardOf(page, 'Доброе утро')).toBeVisible();
});

test('what is pressed before the notice of a block is read does nothing', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/403/);
  const { act } = await openWriting(page, ownWall);
  const sent = callsOf(page, 'POST', /\/posts$/);
  await act('block');
  await like(page).evaluate((button: HTMLElement) => {
    const press = new MutationObserver(() => {
      if (![...document.querySelectorAll('header button')].some(({ textContent }) => textContent === 'Войти')) return;
      press.disconnect();
      button.click();
      document.body.dataset['pressed'] = 'yes';
    });
    press.observe(document.body, { childList: true, subtree: true });
    button.click();
  });
  await expect(notice(page)).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-pressed', 'yes');
  await form(page)
    .getByRole('button', { name: 'Опубликовать', includeHidden: true })
    .evaluate((button: HTMLElement) => button.click());
  await expect(form(page)).toContainText(reason);
  expect(sent).toEqual([]);
  await expect(page.locator('dialog[open]')).toHaveCount(2);
  await notice(page).getByRole('button', { name: 'Понятно' }).click();
  await expect(textField(page)).toHaveValue('Ещё кое-что');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await like(page).click();
  await expect(dialog(page)).toBeVisible();
});

const renewal = '**/api/v1/sessions/current';
const line = (page: Page) => page.getByRole('status').filter({ hasText: 'Профиль не загрузился' });

test('signing in or out in another tab ends the retries', async ({ page, context, wall, pageErrors }) => {
  pageErrors.expect(/500/);
  const person = await newPerson(wall);
  await restoreSession(page, wall, person);
  await page.route(renewal, (route) => route.fulfill({ status: 500, json: {} }));
  await openPage(page, '/');
  await expect(line(page)).toBeVisible();

  const other = await context.newPage();
  await openPage(other, '/settings');
  await expect(other.getByRole('button', { name: 'Выйти' })).toBeVisible();
  await expect(profileLink(page)).toBeVisible();

  await reloadPage(page);
  await expect(line(page)).toBeVisible();
  await other.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL('/');
  await expect(signInButton(page)).toBeVisible();
  await expect(line(page)).toHaveCount(0);
});

test('an action started meanwhile continues once the session is loaded', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/500/, /ERR_CONNECTION_RESET/);
  const by = await ownWall.seed.person('boris_petrov');
  await ownWall.seed.posts([{ by, text: 'Запись' }]);
  const person = await signInNewPerson(page, ownWall);
  const isSignedIn = async () => {
    await expect(profileLink(page)).toHaveText(person.name);
    await expect(line(page)).toHaveCount(0);
    await expect(signInButton(page)).toHaveCount(0);
  };
  await page.route(renewal, (route) => route.fulfill({ status: 500, json: {} }));
  await openPage(page, ownWall.url);
  await expect(line(page)).toBeVisible();
  await cardOf(page, 'Запись').getByRole('button', { name: 'Нравится' }).click();
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'boris_petrov' }).click();
  await expect(page).toHaveTitle('boris_petrov - Стена');
  expect(await page.evaluate(() => document.cookie)).toMatch(/^signed-in=/);
  await page.unroute(renewal);
  await mainButton(page, 'Повторить').click();
  await isSignedIn();

  await page.route(renewal, (route) => route.abort('connectionreset'));
  await openPage(page, ownWall.url);
  await expect(line(page)).toBeVisible();
  await newPostButton(page).click();
  await expect(dialog(page)).toBeVisible();
  await page.unroute(renewal);
  await expect(textField(page)).toBeFocused();
  await expect(dialog(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await isSignedIn();

  await page.route(renewal, (route) => route.fulfill({ status: 500, json: {} }));
  await openPage(page, ownWall.url);
  await page.evaluate(() => void navigation.navigate('/liked'));
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await expect(page).toHaveTitle('Понравившиеся - Стена');
  await mainButton(page, 'Повторить').click();
  await expect(mainButton(page, 'Повторить')).toHaveAttribute('aria-busy', 'false');
  await expect(line(page)).toHaveCount(0);
  await page.unroute(renewal);
  await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
  await isSignedIn();
});
