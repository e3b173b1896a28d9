import assert from 'node:assert/strict';
import type { Screen } from './open-screen.ts';
import { textOf } from './queries.ts';

export const titleOf = (screen: Screen): string => textOf(screen.getByRole('heading', { level: 1 }));

export const showsPath = (screen: Screen, path: string): Promise<void> =>
  screen.until(() => assert.deepEqual([screen.path(), screen.loads], [path, []]));

export const views = ['Новые', 'Понравившиеся', 'Мои записи', 'Мои ответы'];

export const switcher = (screen: Screen): HTMLElement => screen.getByRole('combobox', { name: 'Лента' });
export const options = (screen: Screen): string[] => screen.queryAllByRole('option').map(textOf);

/** Opens another view of the feed. */
export async function chooseView(screen: Screen, name: string): Promise<void> {
  await screen.click(switcher(screen));
  await screen.click(await screen.findByRole('option', { name }));
}
