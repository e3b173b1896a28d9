import hidden from '../ui/visually-hidden.module.css';
import styles from './settings-skeleton.module.css';

/** The usual skeleton of a page made for one person, shown until the session is known and the page is loaded. */
export const settingsSkeleton = (
  <div aria-busy="true">
    <span className={hidden.always}>Загрузка</span>
    {['first', 'second', 'third'].map((row) => (
      <div key={row} className={styles.row}>
        <span className={styles.name} />
        <span className={styles.value} />
      </div>
    ))}
  </div>
);
