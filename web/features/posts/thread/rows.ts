import { plural, replyForms } from '../../../lib/counts.ts';
import { isHead, type Row } from '../store/thread-tree.ts';

/** Below this level the indentation stays the same. */
const deepest = 4;
/** The number of colours for the lines at the last indentation. The colour changes where a branch splits. */
const lineColours = 3;

const indentAt = (level: number, splits: number) => ({
  depth: Math.min(level, deepest) - 1,
  line: splits % lineColours,
});

export const indentOf = ({ level, splits }: Pick<Row, 'level' | 'splits'>) => indentAt(level, splits);

/** The indentation and the colour of the line for the row below a post's replies. */
export function indentBelow({ level, direct, splits }: Row) {
  const { depth, line } = indentAt(level + 1, splits + (direct > 1 ? 1 : 0));
  return { 'data-depth': depth, 'data-line': line };
}

/** Whether a reply names the post it replies to, because neither the indentation nor the row above shows that. */
export const namesReplied = (
  { level, parent }: Pick<Row, 'level' | 'parent'>,
  above: Pick<Row, 'id'> | undefined,
): boolean => level >= deepest && above?.id !== parent;

/** The words of the control that folds a branch, null where a branch neither begins nor splits. The noun is hidden if there is no room. */
export function foldLabel(row: Row): [act: string, noun: string] | null {
  if (!isHead(row)) return null;
  const [count, noun] = plural(row.size, replyForms).split(' ') as [string, string];
  return [`${row.folded ? 'показать' : 'скрыть'} ${count}`, noun];
}
