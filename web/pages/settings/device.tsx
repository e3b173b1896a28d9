import { addresses } from '#contract/addresses.ts';
import { ApiError } from '#client/api-error.ts';
import { browserName, lastActive, systemName } from '../../features/devices/describe-session.ts';
import { page, type PageContext } from '../../forms/page-module.ts';
import { Form } from '../../forms/form.tsx';
import { isNotFound } from '../../lib/explain-error.ts';
import { useNow } from '../../lib/clock.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from './device.module.css';

type Context = PageContext<{ id: string }>;

async function find({ call, params }: Context) {
  const session = (await call('GET /sessions', {})).sessions.find(({ id }) => id === params.id);
  if (session) return { session };
  throw new ApiError('NOT_FOUND', 'Этот сеанс уже был завершён', 404);
}

/** The details of a session. */
export const device = page({
  load: find,
  View({ session: { current, createdAt, lastActiveAt, device: of } }) {
    const now = useNow();
    return (
      <div className={styles.page}>
        <dl className={styles.details}>
          <dt>Браузер</dt>
          <dd>
            <bdi>{browserName(of.userAgent)}</bdi>
          </dd>
          {of.userAgentVersion !== '' && (
            <>
              <dt>Версия</dt>
              <dd>
                <bdi>{of.userAgentVersion}</bdi>
              </dd>
            </>
          )}
          <dt>Система</dt>
          <dd>
            <bdi>{systemName(of.os)}</bdi>
          </dd>
          <dt>Вход</dt>
          <dd>
            <LocalTime at={createdAt} />
          </dd>
          <dt>Активность</dt>
          <dd>{current ? 'Сейчас' : lastActive(lastActiveAt, now)}</dd>
        </dl>
        {!current && <Form act="close" submit="Завершить сеанс" variant="danger" />}
      </div>
    );
  },
  acts: {
    async close({ call, params }: Context) {
      const to = addresses.settingsDevices.href();
      try {
        await call('DELETE /sessions/{id}', { params });
        return { message: 'Сессия завершена', to };
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return { message: 'Этот сеанс уже был завершён', to };
      }
    },
  },
});
