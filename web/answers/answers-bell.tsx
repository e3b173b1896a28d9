import { Icon } from '../ui/icon.tsx';
import styles from './answers-bell.module.css';
import { useUnreadAnswers } from './use-unread-answers.ts';

const path = '/answers';
const shownAtMost = 99;

/** Leads to what others have answered, and says how much of it is unread. */
export function AnswersBell({ activePath }: { activePath: string }) {
  const unread = useUnreadAnswers();
  return (
    <a
      href={path}
      className={styles.bell}
      aria-label={unread > 0 ? `Ответы мне, непрочитанных: ${unread}` : 'Ответы мне'}
      aria-current={activePath === path ? 'page' : undefined}
    >
      <Icon name="bell" />
      {unread > 0 && <span className={styles.count}>{unread > shownAtMost ? `${shownAtMost}+` : unread}</span>}
    </a>
  );
}
