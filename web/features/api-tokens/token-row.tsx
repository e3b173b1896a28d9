import type { ApiToken } from '#contract/api-tokens.ts';
import { useNow } from '../../lib/clock.tsx';
import { exactTime, machineTime } from '../../lib/time.ts';
import { Button } from '../../ui/button.tsx';
import { lastActive } from '../devices/describe-session.ts';
import summary from '../devices/session-summary.module.css';
import styles from './token-row.module.css';
import { scopeName } from './scopes.ts';

interface TokenRowProps {
  token: ApiToken;
  onEnd: () => void;
}

export function TokenRow({ token, onEnd }: TokenRowProps) {
  const { id, name, scope, createdAt, lastUsedAt } = token;
  const now = useNow();
  return (
    <li className={styles.row}>
      <div className={summary.summary}>
        <bdi id={`token-${id}`} className={summary.name}>
          {name}
        </bdi>
        <span className={summary.detail}>
          {scopeName(scope)} · создан <time dateTime={machineTime(createdAt)}>{exactTime(createdAt)}</time>
        </span>
        <span className={summary.detail}>
          {lastUsedAt === null ? (
            'Ещё не использован'
          ) : (
            <>
              Использован{' '}
              <time dateTime={machineTime(lastUsedAt)} title={exactTime(lastUsedAt)}>
                {lastActive(lastUsedAt, now)}
              </time>
            </>
          )}
        </span>
      </div>
      <Button aria-haspopup="dialog" aria-describedby={`token-${id}`} onClick={onEnd}>
        Завершить
      </Button>
    </li>
  );
}
