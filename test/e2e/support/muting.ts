import { expect, type Locator, type Page } from '@playwright/test';
import { articles } from './feed.ts';
import type { Wall } from './wall.ts';

/** The author whom the tests mute. */
export const loud = 'oleg_gromkiy';
const calm = 'vera_s';

export const texts = { loud: 'Опять я, и снова о себе', calm: 'Тихое утро', disputed: 'О чём все спорят' };

/** Posts of two authors in turns. The oldest one has replies by both; the post of the muted author has one reply. */
export async function seedAuthors({ seed }: Wall) {
  const [loudId, calmId] = [await seed.person(loud), await seed.person(calm)];
  const [disputed, loudPost] = await seed.posts([
    { by: calmId, text: texts.disputed },
    { by: loudId, text: `${texts.loud}. `.repeat(6).trim() },
    { by: calmId, text: texts.calm },
  ]);
  await seed.replies(disputed!, [
    { by: calmId, text: 'Соглашусь' },
    { by: loudId, text: 'А я не согласен' },
  ]);
  const [calmReply] = await seed.replies(loudPost!, [{ by: calmId, text: 'Отвечаю громкому' }]);
  return { loudId, calmId, disputed: disputed!, loudPost: loudPost!, calmReply: calmReply! };
}

/** The collapsed post of the muted author in the visible list. */
export const collapsedPost = (page: Page): Locator => articles(page).filter({ hasText: loud });
export const loudText = (page: Page): Locator => page.getByText(texts.loud);
export const opener = (page: Page): Locator =>
  collapsedPost(page).getByRole('button', { name: 'Показать', exact: true });
export const muteButton = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: /^(Скрыть|Показывать)( автора)?$/ });

export async function expectMuted(page: Page): Promise<void> {
  await expect(opener(page)).toBeVisible();
  await expect(loudText(page)).toHaveCount(0);
}
