import type { Owner } from '#contract/posts.ts';
import styles from './person-names.module.css';

type Names = Pick<Owner, 'username' | 'display_name'>;

/** Both names of a person. The one that people choose freely never stands alone where it matters who it is. */
export const PersonNames = ({ username, display_name: own }: Names) =>
  own === null ? (
    <bdi>{username}</bdi>
  ) : (
    // In a row of boxes, the space between two of them would be lost.
    <span>
      <bdi>{own}</bdi> <bdi className={styles.username}>@{username}</bdi>
    </span>
  );
