import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { expectAccessible } from './support/accessible.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import { askForCode, codeField, dialog, emailField, newPerson, profileLink } from './support/sign-in.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { chooseView, heading, option, optionsOf, switcher, views } from './support/views.ts';
import { signInNewPerson } from './support/writing.ts';

test('it shows the current view and offers the other three', async ({ page, wall }) => {
  await signInNewPerson(page, wall);
  await markDocument(page);
  for (const name of [...views.slice(1), 'Новые']) {
    await chooseView(page, name);
    await expect(heading(page)).toHaveText(name === 'Новые' ? 'Стена' : name);
    await expect(optionsOf(page)).toHaveCount(0);
    await expect(switcher(page)).toHaveText(name);
    await switcher(page).click();
    await expect(optionsOf(page)).toHaveText(views.filter((view) => view !== name));
    await page.keyboard.press('Escape');
  }
  await expect(page).toHaveURL(`${wall.url}/`);
  await expectSameDocument(page);
});

test('only the views have it, and only the feed is current in the navigation bars', async ({ page, wall }) => {
  const feedLink = page.getByRole('navigation').getByRole('link', { name: 'Лента' });
  await signInNewPerson(page, wall);
  await expect(feedLink).toHaveAttribute('aria-current', 'page');
  await chooseView(page, 'Понравившиеся');
  await expect(heading(page)).toHaveText('Понравившиеся');
  await expect(feedLink).not.toHaveAttribute('aria-current');
  await feedLink.click();
  await cardOf(page, texts.discussed).locator('time').click();
  await expect(heading(page)).toHaveText('Запись');
  await expect(switcher(page)).toHaveCount(0);
});

test('a click opens and closes it, and a click outside closes it', async ({ page, wall }) => {
  await open(page);
  await switcher(page).click();
  await expect(switcher(page)).toHaveAttribute('aria-expanded', 'true');
  await switcher(page).click();
  await expect(optionsOf(page)).toHaveCount(0);
  await switcher(page).click();
  await expect(optionsOf(page)).toHaveCount(3);
  await page.mouse.click(20, 600);
  await expect(optionsOf(page)).toHaveCount(0);
  await expect(switcher(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(page).toHaveURL(`${wall.url}/`);
});

test('the markup is valid HTML, closed and open', async ({ page }) => {
  const faults = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('span div, p div, button div, [popovertarget][aria-expanded]')].map(
        (element) => element.outerHTML,
      ),
    );
  await open(page);
  expect(await faults()).toEqual([]);
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Действия с записью' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await faults()).toEqual([]);
});

test('hovering highlights an option and leaves the focus in place', async ({ page }) => {
  await open(page);
  await switcher(page).click();
  await expect(page.getByRole('option', { selected: true })).toHaveCount(0);
  await option(page, 'Мои записи').hover();
  await expectActive(page, 'Мои записи');
  await expect(switcher(page)).toBeFocused();
});

test.describe('it works by keyboard', () => {
  test.beforeEach(async ({ page }) => {
    await open(page);
    await switcher(page).focus();
  });

  for (const [key, name] of [
    ['ArrowDown', 'Понравившиеся'],
    ['ArrowUp', 'Понравившиеся'],
    ['Enter', 'Понравившиеся'],
    ['Space', 'Понравившиеся'],
    ['Home', 'Понравившиеся'],
    ['End', 'Мои ответы'],
  ] as const) {
    test(`${key} opens it`, async ({ page }) => {
      await page.keyboard.press(key);
      await expectActive(page, name);
      await expect(switcher(page)).toBeFocused();
    });
  }

  test('arrows, Home and End move in the list and stop at its ends', async ({ page }) => {
    for (const [key, name] of [
      ['ArrowDown', 'Понравившиеся'],
      ['ArrowDown', 'Мои записи'],
      ['ArrowDown', 'Мои ответы'],
      ['ArrowDown', 'Мои ответы'],
      ['Home', 'Понравившиеся'],
      ['ArrowUp', 'Понравившиеся'],
      ['End', 'Мои ответы'],
      ['ArrowUp', 'Мои записи'],
    ] as const) {
      await page.keyboard.press(key);
      await expectActive(page, name);
    }
  });

  test('Escape closes it and has no other effect', async ({ page, wall }) => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await expect(optionsOf(page)).toHaveCount(0);
    await expect(switcher(page)).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
  });

  test('Tab closes it and moves on', async ({ page, wall }) => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect(optionsOf(page)).toHaveCount(0);
    await expect(page.getByRole('banner').getByRole('button', { name: 'Войти' })).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
  });

  test('a letter selects a view; repeated letters cycle through views with the same initial', async ({ page }) => {
    await type(page, 'м');
    await expectActive(page, 'Мои записи');
    await type(page, 'м');
    await expectActive(page, 'Мои ответы');
    await page.waitForTimeout(limits.typeaheadMs + 50);
    await type(page, 'П');
    await expectActive(page, 'Понравившиеся');
  });

  test('several letters form a search string, which may contain a space', async ({ page, wall }) => {
    await type(page, 'мои о');
    await expectActive(page, 'Мои ответы');
    await expect(page).toHaveURL(`${wall.url}/`);
  });

  test('after a pause the search starts again, and the space bar selects', async ({ page }) => {
    await type(page, 'м');
    await page.waitForTimeout(limits.typeaheadMs + 50);
    await type(page, 'п');
    await expectActive(page, 'Понравившиеся');
    await page.waitForTimeout(limits.typeaheadMs + 50);
    await page.keyboard.press('Space');
    await expect(dialog(page)).toBeVisible();
  });

  test('browser shortcuts are not intercepted', async ({ page }) => {
    await page.keyboard.press('Alt+x');
    await page.keyboard.press('Control+ArrowDown');
    await expect(optionsOf(page)).toHaveCount(0);
  });
});

for (const key of ['Enter', 'Space']) {
  test(`${key} selects, without a mouse`, async ({ page, wall }) => {
    await signInNewPerson(page, wall);
    await markDocument(page);
    await switcher(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(key);
    await expect(heading(page)).toHaveText('Мои записи');
    await expect(page.getByRole('main', { name: 'Мои записи - Стена' })).toBeFocused();
    await expect(optionsOf(page)).toHaveCount(0);
    await expectSameDocument(page);
  });
}

test('a visitor who selects a private list signs in and arrives there', async ({ page, mail, wall }) => {
  const { name, email } = await newPerson(wall);
  await open(page);
  await chooseView(page, 'Мои ответы');
  await expect(emailField(page)).toBeFocused();
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
  await expect(page).toHaveURL(`${wall.url}/own/replies`);
  await expect(heading(page)).toHaveText('Мои ответы');
});

test('a visitor who cancels sign-in stays on the page', async ({ page, wall }) => {
  await open(page);
  await chooseView(page, 'Понравившиеся');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(switcher(page)).toBeFocused();
  await expect(page).toHaveURL(`${wall.url}/`);
});

test('it is available far down the page', async ({ page }) => {
  await open(page);
  await scrollToPost(page, 20);
  await switcher(page).click();
  await expect(option(page, 'Мои ответы')).toBeInViewport({ ratio: 1 });
});

for (const viewport of [{ width: 320, height: 568 }, phone, tablet, desk]) {
  test(`it fits a window of ${viewport.width} px, and each part is large enough for touch`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await open(page);
    await switcher(page).click();
    const below = (await switcher(page).boundingBox())!;
    for (const part of [switcher(page), ...(await optionsOf(page).all())]) {
      await expect(part).toBeInViewport({ ratio: 1 });
      const { width, height } = (await part.boundingBox())!;
      expect(Math.round(Math.min(width, height))).toBeGreaterThanOrEqual(44);
    }
    const list = (await page.getByRole('listbox').boundingBox())!;
    expect(list.y).toBeGreaterThanOrEqual(below.y + below.height - 1);
    expect(list.y - below.y - below.height).toBeLessThan(16);
  });
}

test('it is accessible while open', async ({ page }) => {
  await open(page);
  await switcher(page).focus();
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page);
  await expectActive(page, 'Понравившиеся');
});

async function open(page: Page): Promise<void> {
  await openPage(page, '/');
}

async function expectActive(page: Page, name: string): Promise<void> {
  const active = page.getByRole('option', { selected: true });
  await expect(active).toHaveText(name);
  await expect(switcher(page)).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id'))!);
}

/** Playwright sends no key codes for Cyrillic letters. */
async function type(page: Page, letters: string): Promise<void> {
  await page.evaluate((letters) => {
    for (const key of letters) {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
  }, letters);
}
