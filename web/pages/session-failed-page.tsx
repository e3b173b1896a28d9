import { RetrySessionButton } from '../auth/retry-session-button.tsx';
import { Notice } from '../ui/notice.tsx';

export function SessionFailedPage({ message }: { message: string }) {
  return <Notice title="Не удалось загрузить" text={message} action={<RetrySessionButton />} />;
}
