import { Window } from 'happy-dom';
import type { Wall } from '../wall.ts';
import { type Queries, queriesIn, textOf } from './queries.ts';

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

/** Follows the links to further posts, from the first page; resolves to the texts. */
export async function readToTheEnd(wall: Pick<Wall, 'get'>, path: string): Promise<string[]> {
  const read: string[] = [];
  for (let next: string | null = path; next;) {
    const page: ReadPage = await readPage(wall, next);
    read.push(...[...page.getByRole('feed').querySelectorAll('article > [dir=auto]')].map(textOf));
    const further = page.queryByRole('link', { name: 'Дальше' })?.getAttribute('href');
    next = further ? new URL(further, `http://localhost${next}`).href.slice('http://localhost'.length) : null;
  }
  return read;
}
