import hidden from '../ui/visually-hidden.module.css';
import styles from './settings-skeleton.module.css';

/** The shape of a settings page until the session is known. */
export function SettingsSkeleton({ shape }: { shape: 'list' | 'form' }) {
  return (
    <div aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      {shape === 'list' ? (
        <>
          <div className={styles.heading} />
          {['first', 'second', 'third'].map((row) => (
            <div key={row} className={styles.row}>
              <span className={styles.name} />
              <span className={styles.value} />
            </div>
          ))}
        </>
      ) : (
        <div className={styles.form}>
          <span className={styles.name} />
          <span className={styles.field} />
          <span className={styles.field} />
        </div>
      )}
    </div>
  );
}
