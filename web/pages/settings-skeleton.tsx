import type { SettingsRoute } from '../router/routes.ts';
import hidden from '../ui/hidden.module.css';
import styles from './settings-skeleton.module.css';

/** The shape of the settings until it is known whose they are: rows, or a form. */
export function SettingsSkeleton({ of }: { of: SettingsRoute }) {
  const isList = ['settings', 'settings-devices', 'settings-muted'].includes(of.name);
  return (
    <div aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      {isList ? (
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
