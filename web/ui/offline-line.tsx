import { useSyncExternalStore } from 'react';
import styles from './offline-line.module.css';

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** The region stands empty while all is well: screen readers only tell what changes inside one they know. */
export function OfflineLine() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className={styles.line}>
      {online ? '' : 'Нет соединения'}
    </div>
  );
}
