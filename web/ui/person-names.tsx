import type { Owner } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import styles from './person-names.module.css';

type Names = Pick<Owner, 'username' | 'display_name'>;

/** Both names of a person, where it matters who exactly it is. */
export const PersonNames = ({ username, display_name: own }: Names) =>
  own === null ? (
    <bdi>{username}</bdi>
  ) : (
    // In a row of boxes, the space between two of them would be lost.
    <span>
      <bdi>{own}</bdi> <Handle username={username} />
    </span>
  );

/** The name alone, unless somebody else had it first. */
export const ShownName = (person: Names & Pick<Owner, 'is_namesake'>) =>
  person.is_namesake ? <PersonNames {...person} /> : <bdi>{shownName(person)}</bdi>;

export const Handle = ({ username }: Pick<Owner, 'username'>) => <bdi className={styles.username}>@{username}</bdi>;
