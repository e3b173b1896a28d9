import type { Owner } from '#contract/posts.ts';
import { shownName } from '#contract/username.ts';
import styles from './person-names.module.css';

type Names = Pick<Owner, 'username' | 'display_name'>;

/** Both names of a person, for texts where it matters exactly who it is. */
export const PersonNames = ({ username, display_name: own }: Names) =>
  own === null ? (
    <bdi>{username}</bdi>
  ) : (
    // The <span> keeps the space between the names, which would be lost in a flex row.
    <span>
      <bdi>{own}</bdi> <Handle username={username} />
    </span>
  );

/** The name of a person. Both names if somebody else had the same name first. */
export const ShownName = (person: Names & Pick<Owner, 'is_namesake'>) =>
  person.is_namesake ? <PersonNames {...person} /> : <bdi>{shownName(person)}</bdi>;

export const Handle = ({ username }: Pick<Owner, 'username'>) => <bdi className={styles.username}>@{username}</bdi>;
