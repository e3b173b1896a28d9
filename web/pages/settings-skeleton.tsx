import styles from './settings-page.module.css';

/** The shape of the settings until it is known whose they are. */
export function SettingsSkeleton() {
  return (
    <div className={styles.rows} aria-busy="true">
      {['email', 'username'].map((row) => (
        <div key={row} className={styles.row} aria-hidden="true">
          <span className={styles.label} />
          <span className={styles.value} />
        </div>
      ))}
    </div>
  );
}
