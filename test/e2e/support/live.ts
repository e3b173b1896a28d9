import type { Locator, Page } from '@playwright/test';
export { openPage as open } from './app.ts';
import { ordinaryText } from './populated-wall.ts';
import type { Wall } from './wall.ts';

const author = 'galina_m';

/** The button that shows the posts that are waiting. */
export const pill = (page: Page): Locator => page.getByRole('button', { name: /^Показать новые: \d/ });

/** Posts by one author; «Запись 1» is the newest. */
export async function filledWall({ seed }: Wall, posts: number): Promise<number> {
  const by = await seed.person(author);
  await seed.posts(
    Array.from({ length: posts }, (_, index) => ({ by, text: ordinaryText(posts - index), age: 3_600 })),
  );
  return by;
}
