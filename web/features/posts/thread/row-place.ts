import { plural } from '../../../lib/plural.ts';
import { isHead, type Row } from '../store/thread-tree.ts';

/** Below this level the indentation stays the same. */
const deepest = 4;
/** The colours of the lines at the last indentation, in turn: a new one where a branch splits. */
const lineColours = 3;

const placeAt = (level: number, splits: number) => ({
  depth: Math.min(level, deepest) - 1,
  line: splits % lineColours,
});

export const placeOf = ({ level, splits }: Row) => placeAt(level, splits);

/** The place of what is below a post. */
export function placeBelow({ level, direct, splits }: Row) {
  const { depth, line } = placeAt(level + 1, splits + (direct > 1 ? 1 : 0));
  return { 'data-depth': depth, 'data-line': line };
}

/** Whether a reply says what it answers: neither the indentation nor the row above shows it. */
export const namesReplied = ({ level, parent }: Row, above: Row | undefined): boolean =>
  level >= deepest && above?.id !== parent;

const branches = ['ветка', 'ветки', 'веток'] as const;

/** The words of the control that folds a branch, null where a branch neither begins nor splits. */
export function foldLabel(row: Row): string | null {
  if (!isHead(row)) return null;
  if (row.folded) return `развернуть ${row.size}`;
  return row.level === 1 ? `свернуть ${row.size}` : `${plural(row.direct, branches)}, ${row.size}`;
}
