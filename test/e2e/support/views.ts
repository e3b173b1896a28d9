import { expect, type Locator, type Page } from '@playwright/test';
import { ordinaryText } from './populated-wall.ts';
import type { Wall } from './wall.ts';
import { signInNewPerson } from './writing.ts';

export const switcher = (page: Page): Locator => page.getByRole('combobox', { name: 'Лента' });
export const optionsOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Лента' }).getByRole('option');
export const option = (page: Page, name: string): Locator => page.getByRole('option', { name, exact: true });
export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });

/** Chooses a view and waits until the page has changed. The change would close a list that the test opened before it. */
export async function chooseView(page: Page, name: string): Promise<void> {
  await switcher(page).click();
  await option(page, name).click();
  await expect(switcher(page)).toHaveText(name);
}

/** Signs in a person who likes sixty posts, «Запись 1» last. */
export async function signInReader(page: Page, wall: Wall): Promise<void> {
  const person = await signInNewPerson(page, wall);
  const by = await wall.seed.person('galina_m');
  const numbers = Array.from({ length: 60 }, (_, index) => 60 - index);
  const ids = await wall.seed.posts(numbers.map((number) => ({ by, text: ordinaryText(number) })));
  for (const id of ids) await wall.seed.like(id, person.id);
}

/** Expects the texts of the posts in the list, from its top. */
export async function expectTexts(page: Page, texts: string[]): Promise<void> {
  await expect(page.getByRole('feed').locator('article > div > [dir=auto]')).toHaveText(texts);
}
