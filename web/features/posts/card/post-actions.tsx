import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { usePerform } from '../../session/actions.ts';
import styles from './post-actions.module.css';
import { shortCount } from '../../../lib/counts.ts';
import visuallyHidden from '../../../ui/visually-hidden.module.css';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { LinkForm } from '../../../ui/link-form.tsx';

interface PostActionsProps {
  post: Post;
  labelled: boolean;
  /** In a discussion, where the replies are below. */
  compact: boolean;
  children?: ReactNode;
}

export function PostActions({ post, labelled, compact, children }: PostActionsProps) {
  const perform = usePerform();
  const { id, actions } = post;
  return (
    <div className={styles.actions}>
      <PostAction
        icon="heart"
        name="Нравится"
        shortcut="L"
        count={actions.likes_count}
        pressed={actions.is_liked}
        labelled={labelled}
        to={addresses.postActions.href({ id })}
        onClick={() => perform({ kind: 'like', postId: id })}
      />
      <PostAction
        icon={compact ? undefined : 'reply'}
        name="Ответить"
        shortcut="R"
        count={compact ? 0 : (actions.thread_count ?? actions.replies_count)}
        labelled={labelled || compact}
        to={addresses.postReply.href({ id })}
        onClick={() => perform({ kind: 'reply', postId: id })}
      />
      {children}
    </div>
  );
}

interface PostActionProps {
  icon: IconName | undefined;
  name: string;
  /** The key that clicks the button. */
  shortcut: 'L' | 'R';
  count: number;
  pressed?: boolean;
  /** Whether the name is visible beside the icon. */
  labelled: boolean;
  /** The plain page with the same action. */
  to: string;
  onClick: () => void;
}

/** Shows no count of zero. The title contains the full count if it is shortened. */
function PostAction({ icon, name, shortcut, count, pressed, labelled, to, onClick }: PostActionProps) {
  const short = count > 0 ? shortCount(count) : '';
  return (
    <LinkForm to={to}>
      <button
        type="submit"
        className={styles.action}
        aria-pressed={pressed}
        aria-keyshortcuts={shortcut}
        title={short.includes(' ') ? `${name}: ${count}` : undefined}
        onClick={onClick}
      >
        {icon && <Icon name={icon} />}
        <span className={labelled ? undefined : visuallyHidden.always}>{name}</span>
        {short !== '' && <span className={styles.count}>{short}</span>}
      </button>
    </LinkForm>
  );
}
