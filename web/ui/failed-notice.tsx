import { useEffect, useEffectEvent } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface FailedNoticeProps {
  message: string;
  onRetry: () => void;
}

/** Also retries when the network is back. */
export function FailedNotice({ message, onRetry }: FailedNoticeProps) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const online = () => retry();
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);

  return <Notice title="Не удалось загрузить" text={message} action={<Button onClick={onRetry}>Повторить</Button>} />;
}
