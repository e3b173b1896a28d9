import { expect, type Locator, type Page } from '@playwright/test';
import { articles } from './feed.ts';
import { loud, seedAuthors, texts } from '../../kit/muting.ts';

export { loud, seedAuthors, texts };

/** The collapsed post of the muted author in the visible list. */
export const collapsedPost = (page: Page): Locator => articles(page).filter({ hasText: loud });
export const loudText = (page: Page): Locator => page.getByText(texts.loud);
export const opener = (page: Page): Locator =>
  collapsedPost(page).getByRole('button', { name: 'Показать', exact: true });
export const muteButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: /^(Не показывать|Показывать)( автора)?$/ });

export async function expectMuted(page: Page): Promise<void> {
  await expect(opener(page)).toBeVisible();
  await expect(loudText(page)).toHaveCount(0);
}
