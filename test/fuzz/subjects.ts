import type { Subject } from './guided.ts';
import { cursor, forms, search } from './pages.ts';
import { imported, markdown, text } from './texts.ts';

/** Each is opened when it is its turn; `cleanup` closes what it needs. */
export const subjects: Readonly<Record<string, (cleanup: AsyncDisposableStack) => Subject | Promise<Subject>>> = {
  text: () => text,
  markdown: () => markdown,
  import: () => imported,
  search,
  cursor,
  forms,
};
