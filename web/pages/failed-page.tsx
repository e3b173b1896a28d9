import { useEffect, useEffectEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface FailedPageProps {
  message: string;
  onRetry: () => void;
}

/** Tries again by itself once the network is back. */
export function FailedPage({ message, onRetry }: FailedPageProps) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const online = () => retry();
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);

  return <Notice title="Не удалось загрузить" text={message} action={<Button onClick={onRetry}>Повторить</Button>} />;
}
