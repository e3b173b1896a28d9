import { useEffect, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { WaitingCodes, WallAdmin } from '#contract/wall-admin.ts';
import { call } from '../../lib/api.ts';
import { useNow } from '../../lib/clock.tsx';
import styles from './mail-truth.module.css';

type Mail = WallAdmin['mail'];
type Codes = WaitingCodes['codes'];

const titles: Record<Exclude<Mail['state'], 'left'>, string> = {
  none: 'Письма не уходят: код новым людям покажете вы',
  untried: 'Почта подключена, но ещё не проверена',
  refused: 'Письма не уходят',
};

interface MailTruthProps {
  mail: Mail;
  /** The codes when the server made the page. */
  codes?: Codes | undefined;
}

/** Says to an owner that letters do not leave, and shows the codes for which new people wait. Empty once a letter has left. */
export function MailTruth({ mail: { state }, codes: first = [] }: MailTruthProps) {
  const codes = useWaitingCodes(state === 'none', first);
  const now = useNow();
  if (state === 'left') return null;
  return (
    <section className={styles.truth} aria-label="Почта стены">
      <p className={styles.title}>{titles[state]}</p>
      <div role="status">
        <ul>
          {codes.map(({ address, code, expires_at: end }) => (
            <li key={`${address} ${code}`}>
              {address} ждёт код: <b>{`${code.slice(0, 3)} ${code.slice(3)}`}</b>{' '}
              <span className={styles.quiet}>· ещё {Math.max(1, Math.ceil((end - now) / 60))} мин</span>
            </li>
          ))}
        </ul>
      </div>
      <a href={addresses.keep.href({}, { part: 'mail' })}>Что сделать</a>
    </section>
  );
}

const pollMs = 5_000;

/** Asks for the codes while the page is visible. A failed request keeps the codes that are known. */
function useWaitingCodes(isOn: boolean, first: Codes): Codes {
  const [codes, setCodes] = useState(first);
  useEffect(() => {
    if (!isOn) return undefined;
    const abort = new AbortController();
    const read = async () => {
      if (document.hidden) return;
      const found = await call('GET /keep/waiting-codes', { signal: abort.signal }).catch(() => null);
      if (found && !abort.signal.aborted) setCodes(found.codes);
    };
    void read();
    const timer = setInterval(() => void read(), pollMs);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [isOn]);
  return codes;
}
