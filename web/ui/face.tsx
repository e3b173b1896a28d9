import { hueOf, letterOf } from '#contract/face-tile.ts';
import type { Owner } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import styles from './face.module.css';

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
