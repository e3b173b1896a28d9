import type { Page } from '@playwright/test';
import { dialogLeft, expectSameDocument, hydrated, markDocument, openPage, reloadPage } from './support/app.ts';
import { openDevices, otherSession } from './support/account.ts';
import { askForCode, codeField, newPerson, profileLink, removeCookies, signInButton } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, signInNewPerson, newPostButton, publish, textField, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

const dialog = (page: Page) => page.getByRole('dialog');
/** Navigates after this call returns: a page that unloads would lose the result of the call. */
const go = (page: Page, delta: number) => page.evaluate((delta) => void setTimeout(() => history.go(delta)), delta);
/** A dialog gets its history entry one frame after it appears. */
const hasEntry = (page: Page) => page.waitForFunction(() => history.state?.dialog === true);

/** Adds a page of the app to the history below the page that opens dialogs. */
async function openSecondPage(page: Page, wall: Wall): Promise<void> {
  await openPage(page, `${wall.url}/nowhere`);
  await openPage(page, wall.url);
}

async function expectBackCloses(page: Page, wall: Wall): Promise<void> {
  const here = page.url();
  await expect(dialog(page)).toBeVisible();
  await hasEntry(page);
  await go(page, -1);
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(here);
  await go(page, -1);
  await expect(page).toHaveURL(`${wall.url}/nowhere`);
  await go(page, 1);
  await expect(page).toHaveURL(here);
  await hydrated(page);
  await expect(dialog(page)).toBeHidden();
}

for (const api of ['with', 'without']) {
  test.describe(`${api} the Navigation API`, () => {
    test.beforeEach(async ({ page, pageErrors }) => {
      if (api === 'without') await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
      pageErrors.expect(/404/);
    });

    test('Back closes the sign-in dialog, the keys and a layer over a page', async ({ page, ownWall }) => {
      await openDevices(page, ownWall);
      await openPage(page, `${ownWall.url}/nowhere`);
      await openPage(page, `${ownWall.url}/settings/devices`);
      await otherSession(page, /Firefox/).click();
      await expectBackCloses(page, ownWall);
      await removeCookies(page);
      await openSecondPage(page, ownWall);
      for (const open of [() => signInButton(page).click(), () => page.keyboard.press('?')]) {
        await open();
        await expectBackCloses(page, ownWall);
      }
    });

    test('a dialog closed in another way and a deleted post leave the history', async ({ page, ownWall }) => {
      await signInNewPerson(page, ownWall);
      await openSecondPage(page, ownWall);
      for (const close of [() => page.keyboard.press('Escape'), () => choice(page, 'Закрыть').click()]) {
        await newPostButton(page).click();
        await expect(textField(page)).toBeFocused();
        await close();
        await expect(dialog(page)).toBeHidden();
      }
      await publish(page, 'Первая');
      await publish(page, 'Лишняя');
      await go(page, -1);
      await expect(page).toHaveURL(`${ownWall.url}/nowhere`);

      await openPage(page, ownWall.url);
      await cardOf(page, 'Лишняя').locator('time[title]').click();
      await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
      await hydrated(page);
      await choose(page, 'Лишняя', 'Удалить');
      await choice(page, 'Удалить').click();
      await expect(toast(page, 'Удалено')).toBeVisible();
      await expect(page).toHaveURL(`${ownWall.url}/`);
      // The address is the same before and after the step back, so the navigation is awaited.
      const isBack = page.waitForEvent('framenavigated');
      await go(page, -1);
      await isBack;
      await hydrated(page);
      await expect(page).toHaveURL(`${ownWall.url}/`);
      await go(page, -1);
      await expect(page).toHaveURL(`${ownWall.url}/nowhere`);
    });

    test('a navigation that begins when a dialog closes wins', async ({ page, ownWall, pageErrors }) => {
      pageErrors.expect(/closed/);
      await signInNewPerson(page, ownWall);
      const openDialog = async () => {
        await openSecondPage(page, ownWall);
        await newPostButton(page).click();
        await expect(textField(page)).toBeFocused();
        await hasEntry(page);
      };
      const arrives = async () => {
        await expect(page).toHaveURL(`${ownWall.url}/liked`);
        await expect(page.getByRole('heading', { name: 'Записи не найдены' })).toBeVisible();
        await expect(page).toHaveURL(`${ownWall.url}/liked`);
      };
      await test.step('a link is followed while the step back is running', async () => {
        await openDialog();
        await page.evaluate(() => {
          const link = Object.assign(document.createElement('a'), { href: '/liked' });
          document.body.append(link);
          history.back = () => {
            Reflect.deleteProperty(history, 'back');
            history.back();
            link.click();
          };
        });
        await page.keyboard.press('Escape');
        await arrives();
      });
      await test.step('another address is loading slowly', async () => {
        await openDialog();
        await page.evaluate(() => {
          const note = () => setTimeout(() => console.log('closed'), 200);
          document.querySelector('dialog[open]')!.addEventListener('close', note);
        });
        const isClosed = page.waitForEvent('console', (message) => message.text() === 'closed');
        await page.route('**/liked', (route) => isClosed.then(() => route.continue()));
        await Promise.all([page.keyboard.press('Escape'), page.goto(`${ownWall.url}/liked`)]);
        await arrives();
      });
    });

    test('signing in leaves no history entry, even after a reload in between', async ({ page, ownWall, mail }) => {
      await openSecondPage(page, ownWall);
      const { name, email } = await newPerson(ownWall);
      await signInButton(page).click();
      await askForCode(page, email);
      await page.reload();
      await expect(codeField(page)).toBeFocused();
      await codeField(page).fill(await mail.codeTo(email));
      await expect(profileLink(page)).toHaveText(name);
      await hydrated(page);
      await go(page, -1);
      await expect(page).toHaveURL(`${ownWall.url}/nowhere`);
    });
  });
}

test('a reload removes the entry of a dialog, and Forward stays on the page', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await signInNewPerson(page, ownWall);
  await openSecondPage(page, ownWall);
  await newPostButton(page).click();
  await expect(textField(page)).toBeFocused();
  await reloadPage(page);
  await dialogLeft(page);
  await markDocument(page);
  await newPostButton(page).click();
  await expect(textField(page)).toBeFocused();
  await hasEntry(page);
  await go(page, -1);
  await expect(dialog(page)).toBeHidden();
  // Forward to the entry of the closed dialog stays on the page.
  await go(page, 1);
  await dialogLeft(page);
  await expect(dialog(page)).toBeHidden();
  await expectSameDocument(page);
  await go(page, -1);
  await expect(page).toHaveURL(`${ownWall.url}/nowhere`);
});

test('a step back that the browser drops is repeated', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await openSecondPage(page, ownWall);
  await signInButton(page).click();
  await hasEntry(page);
  await page.evaluate(() => {
    history.back = () => void Reflect.deleteProperty(history, 'back');
  });
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !Object.hasOwn(history, 'back'));
  await expect(dialog(page)).toBeHidden();
  await dialogLeft(page);
  await go(page, -1);
  await expect(page).toHaveURL(`${ownWall.url}/nowhere`);
});
