import { Window } from 'happy-dom';
import type { Wall } from './wall.ts';

/** Requests a page and parses its HTML without running scripts. */
export async function readPage(wall: Pick<Wall, 'get'>, path: string): Promise<{ status: number; document: Document }> {
  const { status, text } = await wall.get(path);
  const window = new Window({ settings: { disableCSSFileLoading: true } });
  return { status, document: new window.DOMParser().parseFromString(text, 'text/html') as unknown as Document };
}
