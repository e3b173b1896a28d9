import type { OwnSession } from '#contract/sessions.ts';
import { useNow } from '../../lib/clock.tsx';
import { exactTime, machineTime } from '../../lib/time.ts';
import { deviceName, lastActive, systemName } from './describe-session.ts';
import styles from './session-summary.module.css';

/** Contains only phrasing content because it is also used in a button. */
export function SessionSummary({ session: { current, createdAt, lastActiveAt, device } }: { session: OwnSession }) {
  const now = useNow();
  return (
    <span className={styles.summary}>
      <bdi className={styles.name}>{deviceName(device)}</bdi>
      <span className={styles.detail}>
        <bdi>{systemName(device.os)}</bdi>
        {' · '}
        {current ? (
          <span className={styles.now}>Сейчас</span>
        ) : (
          <>
            Активность{' '}
            <time dateTime={machineTime(lastActiveAt)} title={exactTime(lastActiveAt)}>
              {lastActive(lastActiveAt, now)}
            </time>
          </>
        )}
      </span>
      <span className={styles.detail}>
        Вход <time dateTime={machineTime(createdAt)}>{exactTime(createdAt)}</time>
      </span>
    </span>
  );
}
