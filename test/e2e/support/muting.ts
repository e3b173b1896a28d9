import { expect, type Locator, type Page } from '@playwright/test';
import { articles } from './feed.ts';
import { loud, seedAuthors, texts } from '../../kit/muting.ts';

export { loud, seedAuthors, texts };

/** The collapsed post of the muted author in the visible list. */
export const collapsedPost = (page: Page): Locator => articles(page).filter({ hasText: loud });
export const loudText = (page: Page): Locator => page.getByText(texts.loud);
export const opener = (page: Page): Locator =>
  collapsedPost(page).getByRole('button', { name: 'Показать', exact: true });
/** The page of an author, or one’s settings, say that the author is muted. */
export const mutedSign = (page: Page): Locator =>
  page.getByRole('main').getByText(/^(Вы не показываете этого автора|Показывать автора)/);

export async function expectMuted(page: Page): Promise<void> {
  await expect(opener(page)).toBeVisible();
  await expect(loudText(page)).toHaveCount(0);
}
