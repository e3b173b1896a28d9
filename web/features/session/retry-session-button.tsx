import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useSession } from './session.ts';

/** Without `useRequest`, which is not part of the first load: `retry` never fails. */
export function RetrySessionButton() {
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await session.retry();
    setBusy(false);
  };
  return (
    <Button busy={busy} onClick={() => void retry()}>
      Повторить
    </Button>
  );
}
