import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { listen } from '../lib/watch.ts';
import { Button } from './button.tsx';
import styles from './notice.module.css';

/** The words of an empty list. */
export const nothingYet = { title: 'Записи не найдены', text: 'Возможно, записи скоро появятся' };

/** The paths of a picture: the bricks, the part in the accent colour, and further lines. */
export type Picture = readonly [bricks: string, accent: string, thing?: string];

/** A wall that waits for a brick. */
const emptyWall: Picture = [
  'M3 46h34v12H3zM43 46h34v12H43zM83 46h34v12H83zM3 30h14v12H3zM63 30h34v12H63zM103 30h14v12h-14z',
  'M25 11l33-6 2 12-33 6z',
];

interface NoticeProps {
  title: string;
  text?: string | undefined;
  action?: ReactNode;
  /** The picture above the title; null for an error. */
  picture?: Picture | null;
}

/** Shown in place of posts: an empty list, nothing found or an error. */
export function Notice({ title, text, action, picture = emptyWall }: NoticeProps) {
  return (
    <div className={styles.notice}>
      {picture && (
        <svg className={styles.picture} viewBox="0 0 120 60" aria-hidden="true">
          {picture.map((d) => (
            <path key={d} d={d} />
          ))}
        </svg>
      )}
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

/** A notice about a failed load. It retries by itself when the network is back. */
export function FailedNotice({ message, onRetry }: FailedNoticeProps) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => listen(window, ['online'], () => retry()), []);

  return (
    <Notice
      title="Не удалось загрузить"
      text={message}
      picture={null}
      action={<Button onClick={onRetry}>Повторить</Button>}
    />
  );
}
