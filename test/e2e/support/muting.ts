import { expect, type Locator, type Page } from '@playwright/test';
import { articles } from './feed.ts';
import { loud, seedAuthors, texts } from '../../kit/muting.ts';

export { loud, seedAuthors, texts };

/** The post of the muted author in the visible list or discussion. */
export const loudPost = (page: Page): Locator =>
  articles(page).and(page.getByRole('article', { name: RegExp(`^(Новый ответ )?${loud}`) }));
export const loudText = (page: Page): Locator => page.getByText(texts.loud);
/** The button that shows the reply of a muted author. */
export const opener = (page: Page): Locator => loudPost(page).getByRole('button', { name: 'Показать', exact: true });
/** The page of an author, or one’s settings, say that the author is muted. */
export const mutedSign = (page: Page): Locator =>
  page.getByRole('main').getByText(/^(Вы не показываете этого автора|Показывать автора)/);

export async function expectMuted(page: Page): Promise<void> {
  await expect(loudPost(page)).toHaveCount(0);
  await expect(loudText(page)).toHaveCount(0);
}
