import { Window } from 'happy-dom';
import type { Wall } from '../wall.ts';
import { type Queries, queriesIn } from './queries.ts';

/** A page of a wall as the server makes it, read without scripts. */
export interface ReadPage extends Queries {
  status: number;
  document: Document;
}

export async function readPage(wall: Pick<Wall, 'get'>, path: string): Promise<ReadPage> {
  const { status, text } = await wall.get(path);
  const window = new Window({ settings: { disableCSSFileLoading: true } });
  const document = new window.DOMParser().parseFromString(text, 'text/html') as unknown as Document;
  return { ...queriesIn(document.body), status, document };
}
