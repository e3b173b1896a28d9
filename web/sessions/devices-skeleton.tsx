import hidden from '../ui/hidden.module.css';
import styles from './devices-skeleton.module.css';

/** The shape of the sessions on their way: this one, and a few others. */
export function DevicesSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      <Group sessions={1} />
      <Group sessions={2} />
    </div>
  );
}

function Group({ sessions }: { sessions: number }) {
  return (
    <div aria-hidden="true">
      <div className={styles.heading} />
      {Array.from({ length: sessions }, (_, index) => (
        <div key={index} className={styles.session}>
          <span className={styles.name} />
          <span className={styles.detail} />
          <span className={styles.detail} />
        </div>
      ))}
    </div>
  );
}
