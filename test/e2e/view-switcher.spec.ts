import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { openPage } from './support/app.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { texts } from './support/populated-wall.ts';
import { desk, phone, tablet } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { option, optionsOf, switcher } from './support/views.ts';

test('its markup is valid HTML, and the mouse highlights an option and leaves the focus in place', async ({ page }) => {
  const faults = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('span div, p div, button div, [popovertarget][aria-expanded]')].map(
        (element) => element.outerHTML,
      ),
    );
  await openPage(page, '/');
  expect(await faults()).toEqual([]);
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Действия с записью' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await faults()).toEqual([]);
  await page.keyboard.press('Escape');

  await switcher(page).click();
  await expect(page.getByRole('option', { selected: true })).toHaveCount(0);
  await option(page, 'Мои записи').hover();
  await expectActive(page, 'Мои записи');
  await expect(switcher(page)).toBeFocused();
});

test('Escape closes it and has no other effect, Tab closes it and moves on', async ({ page, wall }) => {
  await openPage(page, '/');
  for (const [key, focused] of [
    ['Escape', switcher(page)],
    ['Tab', page.getByRole('banner').getByRole('button', { name: 'Войти' })],
  ] as const) {
    await switcher(page).focus();
    await page.keyboard.press('ArrowDown');
    await expectActive(page, 'Понравившиеся');
    await page.keyboard.press(key);
    await expect(optionsOf(page)).toHaveCount(0);
    await expect(focused).toBeFocused();
    await expect(page).toHaveURL(`${wall.url}/`);
  }
});

test('it fits windows of every width, far down the page too, is large enough for touch and accessible', async ({
  page,
}) => {
  await openPage(page, '/');
  await switcher(page).click();
  for (const viewport of [{ width: 320, height: 568 }, phone, tablet, desk]) {
    await page.setViewportSize(viewport);
    const below = (await switcher(page).boundingBox())!;
    for (const part of [switcher(page), ...(await optionsOf(page).all())]) {
      await expect(part).toBeInViewport({ ratio: 1 });
      const { width, height } = (await part.boundingBox())!;
      expect(Math.round(Math.min(width, height))).toBeGreaterThanOrEqual(44);
    }
    const list = (await page.getByRole('listbox').boundingBox())!;
    expect(list.y).toBeGreaterThanOrEqual(below.y + below.height - 1);
    expect(list.y - below.y - below.height).toBeLessThan(16);
  }
  await page.keyboard.press('ArrowDown');
  await expectActive(page, 'Понравившиеся');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await scrollToPost(page, 20);
  await switcher(page).click();
  await expect(option(page, 'Мои ответы')).toBeInViewport({ ratio: 1 });
});

async function expectActive(page: Page, name: string): Promise<void> {
  const active = page.getByRole('option', { selected: true });
  await expect(active).toHaveText(name);
  await expect(switcher(page)).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id'))!);
}
