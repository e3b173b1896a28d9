import hidden from '../ui/hidden.module.css';
import styles from './muted-skeleton.module.css';

/** The shape of the names on their way. */
export function MutedSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className={styles.row} aria-hidden="true" />
      ))}
    </div>
  );
}
