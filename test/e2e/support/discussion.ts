import type { Locator, Page } from '@playwright/test';
import { bakeries, question, type Sample, seedDiscussion } from '../../kit/sample-discussion.ts';
import { openPage } from './app.ts';
import type { Wall } from './wall.ts';

/** Opens the page of a post with these replies; returns the ids by their texts. */
export async function openDiscussion(
  page: Page,
  wall: Wall,
  replies: readonly Sample[] = bakeries,
): Promise<Map<string, number>> {
  const ids = await seedDiscussion(wall, question, replies);
  await openPage(page, `${wall.url}/posts/${ids.get(question)}`);
  return ids;
}

/** The texts of the replies in the order of the page, each with a dot for every level of indentation. */
export function outline(page: Page): Promise<string[]> {
  return page.locator('[role=feed] article').evaluateAll((articles) =>
    articles.map((article) => {
      const text =
        article.querySelector(':scope > div > [dir=auto]')?.textContent ?? article.getAttribute('aria-label');
      return '.'.repeat(Number(article.getAttribute('data-depth'))) + text;
    }),
  );
}

export const branchButton = (card: Locator): Locator =>
  card.getByRole('button', { name: /^(скрыть|показать) \d+ ответ/ });
