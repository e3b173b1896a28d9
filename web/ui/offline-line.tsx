import { type Observable, useObservable } from '../lib/observable.ts';
import styles from './offline-line.module.css';

const online: Observable<boolean> = {
  get: () => navigator.onLine,
  initial: true,
  subscribe(listener) {
    addEventListener('online', listener);
    addEventListener('offline', listener);
    return () => {
      removeEventListener('online', listener);
      removeEventListener('offline', listener);
    };
  },
};

/** The region is always there, empty while the network works: screen readers only announce changes inside a known region. */
export function OfflineLine() {
  const isOnline = useObservable(online);
  return (
    <div role="status" className={styles.line}>
      {isOnline ? '' : 'Нет соединения'}
    </div>
  );
}
