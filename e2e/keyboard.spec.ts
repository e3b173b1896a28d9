import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { hydrated } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { boris, texts } from './support/lived-in-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
});

test('every stop on the way through the page shows where one is', async ({ page }) => {
  const stops = new Set<string>();
  for (let press = 0; press < 18; press += 1) {
    await page.keyboard.press('Tab');
    const { name, ring, inSight } = await page.evaluate(() => {
      const here = document.activeElement!;
      const { outlineStyle, outlineWidth } = getComputedStyle(here);
      const { top, bottom } = here.getBoundingClientRect();
      return {
        name: `${here.localName} ${here.getAttribute('aria-posinset') ?? here.textContent}`,
        ring: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
        inSight: bottom > 0 && top < innerHeight,
      };
    });
    stops.add(name);
    expect(ring, name).toBeGreaterThanOrEqual(2);
    expect(inSight, name).toBe(true);
  }
  expect([...stops][0]).toBe('a К содержанию');
  expect(stops).toContain('button Новая запись');
  expect(stops).toContain('article 1');
  expect(stops).toContain('article 2');
});

test('Page Down and Page Up go from post to post, also into those that come later', async ({ page }) => {
  await articles(page).first().focus();
  for (let place = 2; place <= limits.pageSize + 3; place += 1) {
    await postAt(page, place).waitFor();
    await page.keyboard.press('PageDown');
    await expect(postAt(page, place)).toBeFocused();
    await expect(postAt(page, place)).toBeInViewport();
  }
  await page.keyboard.press('PageUp');
  await expect(postAt(page, limits.pageSize + 2)).toBeFocused();
});

test('Enter opens the post that has the focus, and Back gives the focus back', async ({ page, wall }) => {
  await cardOf(page, texts.lines).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/posts/${wall.ids.lines}`);
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await expect(cardOf(page, texts.lines)).toBeFocused();
  await expect(page.getByRole('main', { name: 'Стена', exact: true })).toBeVisible();
});

test('Enter follows the link that has the focus, not the card around it', async ({ page }) => {
  await cardOf(page, texts.discussed).getByRole('link', { name: boris }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/users/${boris}`);
});

test('a button inside a post does not open the post', async ({ page, wall }) => {
  await cardOf(page, texts.discussed).getByRole('button', { name: 'Нравится' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).toHaveURL(`${wall.url}/`);
});

test('the new page is named where the focus lands', async ({ page }) => {
  await cardOf(page, texts.discussed).locator('time').click();
  await expect(page.getByRole('main', { name: `${boris}: ${texts.discussed} - Стена` })).toBeFocused();
});

function postAt(page: Page, place: number) {
  return page.locator(`article[aria-posinset="${place}"]`);
}
