import { shortCount } from '../lib/counts.ts';
import hidden from '../ui/hidden.module.css';
import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './post-action.module.css';

interface PostActionProps {
  icon: IconName;
  name: string;
  /** The key that presses it. */
  shortcut: 'L' | 'R';
  count: number;
  pressed?: boolean;
  /** The name in sight beside its icon. */
  labelled: boolean;
  onClick: () => void;
}

/** Zero stays unsaid; a shortened count is told in full by the title. */
export function PostAction({ icon, name, shortcut, count, pressed, labelled, onClick }: PostActionProps) {
  const short = count > 0 ? shortCount(count) : '';
  return (
    <button
      type="button"
      className={styles.action}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
      title={short.includes(' ') ? `${name}: ${count}` : undefined}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span className={labelled ? undefined : hidden.always}>{name}</span>
      {short !== '' && <span className={styles.count}>{short}</span>}
    </button>
  );
}
