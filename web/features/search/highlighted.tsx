import type { ReactNode } from 'react';
import { noBreaks } from '../../lib/no-breaks.ts';
import type { ShowPart } from '../posts/card/post-text.tsx';
import type { Highlight } from '../posts/store/post-list-state.ts';
import styles from './highlighted.module.css';

/** Marks the matches, also where a link begins or ends within one. */
export function highlighted(matches: readonly Highlight[]): ShowPart {
  return function showPart(part, at): ReactNode {
    // Both texts have the same length.
    const shown = noBreaks(part);
    const pieces: ReactNode[] = [];
    let shownTo = 0;
    for (const [start, end] of matches) {
      const from = Math.max(start - at, shownTo);
      const to = Math.min(end - at, part.length);
      if (from >= to) continue;
      pieces.push(
        shown.slice(shownTo, from),
        <mark key={from} className={styles.match}>
          {shown.slice(from, to)}
        </mark>,
      );
      shownTo = to;
    }
    return [...pieces, shown.slice(shownTo)];
  };
}
