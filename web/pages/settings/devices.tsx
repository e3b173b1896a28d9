import { addresses } from '#contract/addresses.ts';
import type { OwnSession } from '#contract/sessions.ts';
import { deviceName, lastActive, systemName } from '../../features/devices/describe-session.ts';
import sessionSummaryStyles from '../../features/devices/session-summary.module.css';
import { Form } from '../../forms/form.tsx';
import { act, page } from '../../forms/page-module.ts';
import { useNow } from '../../lib/clock.tsx';
import { machineTime } from '../../lib/time.ts';
import { Icon } from '../../ui/icon.tsx';
import list from '../../ui/list-page.module.css';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from './devices.module.css';

interface SessionSummaryProps {
  session: OwnSession;
  /** The address of the page with the details of the session. */
  href?: string;
}

function SessionSummary({ session, href }: SessionSummaryProps) {
  const { current, createdAt, lastActiveAt, device } = session;
  const name = <bdi className={sessionSummaryStyles.name}>{deviceName(device)}</bdi>;
  const now = useNow();
  return (
    <span className={sessionSummaryStyles.summary}>
      {href === undefined ? (
        name
      ) : (
        <a href={href} className={sessionSummaryStyles.link} data-layer>
          {name}
        </a>
      )}
      <span className={sessionSummaryStyles.detail}>
        <bdi>{systemName(device.os)}</bdi>
        {' · '}
        {current ? (
          <span className={sessionSummaryStyles.now}>Сейчас</span>
        ) : (
          <>
            Активность <time dateTime={machineTime(lastActiveAt)}>{lastActive(lastActiveAt, now)}</time>
          </>
        )}
      </span>
      <span className={sessionSummaryStyles.detail}>
        Вход <LocalTime at={createdAt} />
      </span>
    </span>
  );
}

/** The sessions of the person, with ways to end the others. */
export const devices = page({
  load: ({ call }) => call('GET /sessions', {}),
  View({ sessions }) {
    const [current, ...others] = sessions;
    return (
      <>
        <section aria-labelledby="current-session">
          <h2 id="current-session" className={list.heading}>
            Текущий сеанс
          </h2>
          {current && (
            <div className={styles.session}>
              <SessionSummary session={current} />
            </div>
          )}
        </section>
        <section aria-labelledby="other-sessions">
          <h2 id="other-sessions" className={list.heading}>
            Другие сеансы
          </h2>
          {others.length === 0 ? (
            <p className={list.none}>Других сеансов нет</p>
          ) : (
            <>
              <ul className={list.list}>
                {others.map((session) => (
                  <li key={session.id} className={styles.session}>
                    <SessionSummary session={session} href={addresses.settingsDevice.href(session)} />
                    <span className={styles.more}>
                      <Icon name="chevron" />
                    </span>
                  </li>
                ))}
              </ul>
              <div className={styles.end}>
                <Form
                  act="closeOthers"
                  submit="Завершить другие сеансы"
                  variant="quiet"
                  confirm={{
                    title: 'Завершить другие сеансы?',
                    text: <p>На всех других устройствах нужно будет войти заново. Этот сеанс останется.</p>,
                    action: 'Завершить',
                  }}
                />
              </div>
            </>
          )}
        </section>
      </>
    );
  },
  acts: { closeOthers: act('Сессии завершены', ({ call }) => call('DELETE /sessions', {})) },
});
