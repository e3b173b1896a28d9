import { listen } from '../lib/listen.ts';
import { type Observable, useObservable } from '../lib/observable.ts';
import { serverIsSilent } from '../lib/server-silence.ts';
import styles from './offline-line.module.css';

const online: Observable<boolean> = {
  get: () => navigator.onLine,
  initial: true,
  subscribe: (listener) => listen(window, ['online', 'offline'], listener),
};

/**
 * Says whether the reader's own network or the server is away. The region is always there, empty while both work: screen
 * readers only announce changes inside a known region.
 */
export function OfflineLine({ appName }: { appName: string }) {
  const isOnline = useObservable(online);
  const isSilent = useObservable(serverIsSilent);
  return (
    <div role="status" className={styles.line}>
      {!isOnline ? 'Нет соединения' : isSilent && `${appName} не отвечает`}
    </div>
  );
}
