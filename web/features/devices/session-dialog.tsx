import { Dialog } from '../../ui/dialog.tsx';
import { closeSession, type OwnSession } from '#contract/sessions.ts';
import { ApiError } from '#client/api-error.ts';
import { call } from '../../lib/api.ts';
import { useNow } from '../../lib/clock.tsx';
import { exactTime, machineTime } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import { ConfirmButtons } from '../../ui/dialog-buttons.tsx';
import { browserName, lastActive, systemName } from './describe-session.ts';
import styles from './session-details.module.css';
import { useRequest } from '../session/use-request.ts';

interface SessionDialogProps {
  /** Null while the dialog is closed. */
  session: OwnSession | null;
  /** Called when the session is closed, also if it was closed before. */
  onClosed: (session: OwnSession) => void;
  onClose: () => void;
}

export function SessionDialog({ session, onClosed, onClose }: SessionDialogProps) {
  return (
    <Dialog open={session !== null} title="Сеанс" onClose={onClose}>
      {session && <SessionDetails session={session} onClosed={onClosed} onClose={onClose} />}
    </Dialog>
  );
}

interface SessionDetailsProps extends SessionDialogProps {
  session: OwnSession;
}

function SessionDetails({ session, onClosed, onClose }: SessionDetailsProps) {
  const { createdAt, lastActiveAt, device } = session;
  const now = useNow();
  const { busy, error, send } = useRequest();
  const closeOnServer = async () => {
    try {
      await call(closeSession, { params: { id: session.id } });
      showToast('Сессия завершена');
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code === 'NOT_FOUND')) throw failure;
      showToast('Этот сеанс уже был завершён');
    }
    onClosed(session);
  };

  return (
    <>
      <dl className={styles.details}>
        <dt>Браузер</dt>
        <dd>
          <bdi>{browserName(device.userAgent)}</bdi>
        </dd>
        {device.userAgentVersion !== '' && (
          <>
            <dt>Версия</dt>
            <dd>
              <bdi>{device.userAgentVersion}</bdi>
            </dd>
          </>
        )}
        <dt>Система</dt>
        <dd>
          <bdi>{systemName(device.os)}</bdi>
        </dd>
        <dt>Вход</dt>
        <dd>
          <time dateTime={machineTime(createdAt)}>{exactTime(createdAt)}</time>
        </dd>
        <dt>Активность</dt>
        <dd>
          <time dateTime={machineTime(lastActiveAt)} title={exactTime(lastActiveAt)}>
            {lastActive(lastActiveAt, now)}
          </time>
        </dd>
      </dl>
      <ConfirmButtons
        action="Завершить сеанс"
        {...{ busy, error }}
        onConfirm={() => send(closeOnServer)}
        onCancel={onClose}
      />
    </>
  );
}
