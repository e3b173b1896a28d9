import hidden from '../ui/visually-hidden.module.css';
import styles from './settings-skeleton.module.css';

/** The skeleton of a settings page, shown until the session is known. */
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
