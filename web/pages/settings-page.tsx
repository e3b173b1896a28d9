import { useState } from 'react';
import { useSession, useSessionState } from '../auth/session-context.ts';
import { explainError } from '../lib/api-error.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import styles from './settings-page.module.css';

export function SettingsPage() {
  const session = useSession();
  const state = useSessionState();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (state.is !== 'authorized') return null;

  const signOut = async () => {
    setBusy(true);
    setError(null);
    try {
      await session.signOut();
    } catch (failure) {
      setError(explainError(failure));
      setBusy(false);
    }
  };

  return (
    <div className={styles.page}>
      <dl className={styles.rows}>
        <div className={styles.row}>
          <dt>Электронная почта</dt>
          <dd>{state.user.email}</dd>
        </div>
        <div className={styles.row}>
          <dt>Имя пользователя</dt>
          <dd>
            <bdi>{state.user.username}</bdi>
          </dd>
        </div>
      </dl>
      <div className={styles.end}>
        <FormError>{error}</FormError>
        <Button busy={busy} onClick={() => void signOut()}>
          Выйти
        </Button>
      </div>
    </div>
  );
}
