import { hueOf, letterOf } from '#contract/face-tile.ts';
import type { Owner } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import styles from './face.module.css';

/** A tile of the person's hue with the emoji that the person has chosen, or the first letter of the name. Styles draw it, so it is no text. */
export const Face = ({ of }: { of: Omit<Owner, 'newcomer_until'> }) => (
  <span
    className={styles.face}
    data-face={of.face ?? letterOf(shownName(of))}
    data-emoji={of.face === null ? undefined : ''}
    data-hue={hueOf(of.id)}
    aria-hidden="true"
  />
);
