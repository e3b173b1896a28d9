import type { Owner } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import styles from './face.module.css';

/** The first letter of a name. Combined emoji are reduced to their first one. */
const letterOf = (name: string): string =>
  /[\p{L}\p{N}]\p{M}*|\p{Extended_Pictographic}/u.exec(name)?.[0].toUpperCase() ?? '';

/** Fibonacci hashing: people who came one after the other have different hues. */
const hueOf = (id: string): number => Math.imul(Number(id), 0x9e3779b1) >>> 28;

/** The emoji that a person has chosen, or the first letter of the name, on a tile of the person's hue. Styles draw it: it is no text. */
export const Face = ({ of }: { of: Omit<Owner, 'newcomer_until'> }) => (
  <span
    className={styles.face}
    data-face={of.face ?? letterOf(shownName(of))}
    data-emoji={of.face === null ? undefined : ''}
    data-hue={hueOf(of.id)}
    aria-hidden="true"
  />
);
