import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { listen } from '../lib/watch.ts';
import { Button } from './button.tsx';
import styles from './notice.module.css';

/** The words of an empty list. */
export const nothingYet = { title: 'Записи не найдены', text: 'Возможно, записи скоро появятся' };

interface NoticeProps {
  title: string;
  text?: string | undefined;
  action?: ReactNode;
}

/** Shown in place of posts: an empty list, nothing found or an error. The picture is a wall with one brick missing. */
export function Notice({ title, text, action }: NoticeProps) {
  return (
    <div className={styles.notice}>
      <svg className={styles.wall} viewBox="0 0 120 56" aria-hidden="true">
        <path d="M1 2h36v14H1z M42 2h36v14H42z M83 2h36v14H83z M1 40h36v14H1z M42 40h36v14H42z M83 40h36v14H83z M1 21h16v14H1z M63 21h36v14H63z M104 21h15v14h-15z" />
        <path className={styles.gap} d="M22 21h36v14H22z" />
      </svg>
      <h2 className={styles.title}>{title}</h2>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action}
    </div>
  );
}

interface FailedNoticeProps {
  message: string;
  onRetry: () => void;
}

/** Also retries when the network is back. */
export function FailedNotice({ message, onRetry }: FailedNoticeProps) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => listen(window, ['online'], () => retry()), []);

  return <Notice title="Не удалось загрузить" text={message} action={<Button onClick={onRetry}>Повторить</Button>} />;
}
