import type { Locator, Page } from '@playwright/test';

/** The texts of the replies in the order of the page, each with a dot for every level of indentation and ordinary spaces. */
export function outline(page: Page): Promise<string[]> {
  return page.locator('[role=feed] article').evaluateAll((articles) =>
    articles.map((article) => {
      const text = article.querySelector(':scope > [dir=auto]')?.textContent ?? article.getAttribute('aria-label');
      return '.'.repeat(Number(article.getAttribute('data-depth'))) + text?.replaceAll('\u00a0', ' ');
    }),
  );
}

export const branchButton = (card: Locator): Locator => card.getByRole('button', { name: /^(с|раз)вернуть|^\d+ вет/ });
