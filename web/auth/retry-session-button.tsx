import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useSession } from './session-context.ts';

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
