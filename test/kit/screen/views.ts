import assert from 'node:assert/strict';
import { seedOf } from '../seed.ts';
import { now } from '../signed-in.ts';
import { openWall } from '../wall.ts';
import type { Screen } from './open-screen.ts';
import { textOf } from './queries.ts';

/** An empty wall at the time of the machine, which is the time of the seed. */
export async function openSeeded(settings: NodeJS.ProcessEnv = {}) {
  const wall = await openWall('sqlite', settings);
  wall.clock.now = now();
  return { ...wall, seed: seedOf(wall.db) };
}

/** The card that contains the text. */
export const cardOf = (screen: Screen, text: string): HTMLElement =>
  screen.getAllByRole('article').find((card) => textOf(card).includes(text)) ?? assert.fail(`No card: ${text}`);

/** The texts of the posts of the list, from its top. */
const textsOf = (screen: Screen): string[] =>
  [...screen.getByRole('feed').querySelectorAll('article > [dir=auto]')].map(textOf);

/** Waits until the list shows these texts. */
export const showsTexts = (screen: Screen, texts: string[]): Promise<void> =>
  screen.until(() => assert.deepEqual(textsOf(screen), texts));

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
