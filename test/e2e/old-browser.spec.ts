import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import { hydrated, openPage } from './support/app.ts';
import { signIn, newPerson } from './support/sign-in.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { boris, ordinaryText, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { choice, choose, menuButton, publish, toast } from './support/writing.ts';

/** Some supported browsers lack them together; plain HTTP has no locks, and without cookies there are no channels. */
const without: Record<string, (page: Page) => Promise<unknown>> = {
  'the Navigation API': (page) => removeGlobal(page, 'navigation'),
  'idle callbacks and anchored popovers': async (page) => {
    await removeGlobal(page, 'requestIdleCallback');
    await page.route('**/*.css', async (route) => {
      const styles = await (await route.fetch()).text();
      await route.fulfill({ contentType: 'text/css', body: styles.replaceAll('position-area', 'no-such-property') });
    });
  },
  'channels between tabs and locks': async (page) => {
    await removeGlobal(page, 'BroadcastChannel');
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
  },
};

for (const [what, remove] of Object.entries(without)) {
  test(`without ${what} reading, sign-in, publishing and deleting work`, async ({
    page,
    ownWall,
    mail,
    pageErrors,
  }) => {
    // The page may ask for its discussion once more when its post has just been deleted.
    pageErrors.tolerate(/\b404\b.*\/thread\?/);
    await remove(page);
    await walkThrough(page, ownWall, mail);
  });
}

async function walkThrough(page: Page, wall: Wall, mail: MailServer): Promise<void> {
  const by = await wall.seed.person('galina_m');
  await wall.seed.posts(Array.from({ length: 25 }, (_, index) => ({ by, text: ordinaryText(25 - index) })));
  await openPage(page, wall.url);
  await scrollToPost(page, 20);
  await cardOf(page, ordinaryText(20)).locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await hydrated(page);

  await signIn(page, mail, wall.url, await newPerson(wall));
  const text = 'Пишу из старого браузера';
  await publish(page, text);
  await cardOf(page, text).getByRole('button', { name: 'Нравится' }).click();
  await expect(cardOf(page, text).getByRole('button', { name: 'Нравится' })).toHaveAttribute('aria-pressed', 'true');

  await cardOf(page, text).locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await hydrated(page);
  await menuButton(page, text).click();
  await expect(page.getByRole('menuitem', { name: 'Удалить' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await choose(page, text, 'Удалить');
  await choice(page, 'Удалить').click();
  await expect(page).toHaveTitle('Стена');
  await expect(toast(page, 'Удалено')).toBeVisible();
}

function removeGlobal(page: Page, name: string): Promise<unknown> {
  return page.addInitScript((name) => Reflect.deleteProperty(window, name), name);
}

test('where links load whole pages they lead there and back', async ({ page, wall }) => {
  await removeGlobal(page, 'navigation');
  await openPage(page, '/');
  expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
  await Promise.all([page.waitForEvent('load'), cardOf(page, texts.discussed).locator('time[title]').click()]);
  await expect(page).toHaveURL(`/posts/${wall.ids.discussed}`);
  await hydrated(page);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('main').getByRole('link', { name: boris }).first().click(),
  ]);
  await hydrated(page);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveTitle(`${boris}: ${texts.discussed} - Стена`);
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Лента' }).click()]);
  await expect(page).toHaveTitle('Стена');

  await hydrated(page);
  await page.getByRole('feed').getByText(texts.discussed).click();
  await expect(page).toHaveURL(`/posts/${wall.ids.discussed}`);

  // The back button of the first page leads to the feed.
  await page.goto('about:blank');
  await openPage(page, `/posts/${wall.ids.discussed}`);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(`${wall.url}/`);
});
