import { memo, type MouseEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import { Icon } from '../../../ui/icon.tsx';
import { PostCard } from '../card/post-card.tsx';
import type { Row } from '../store/thread-tree.ts';
import { usePost } from '../store/use-posts.ts';
import { wasChangedAfter } from './was-changed-after.ts';
import styles from './thread.module.css';

interface ThreadRowProps {
  row: Row;
  position: number;
  setSize: number;
  isNew: boolean;
  onFold: (id: string, fold: boolean) => void;
}

/** Below this level the indentation stays the same, and a reply names whom it replies to. */
const deepest = 4;

/** The keys that go from post to post find it too. */
const walkedTo = { tabIndex: 0 };

const depthOf = (level: number): number => Math.min(level, deepest) - 1;

export const ThreadRow = memo(function ThreadRow({ row, position, setSize, isNew, onFold }: ThreadRowProps) {
  const { id, parent, level, size, folded, gone } = row;
  const post = usePost(id);
  const replied = usePost(parent);
  const fold = size > 0 && (
    <button
      type="button"
      className={styles.fold}
      aria-expanded={!folded}
      aria-keyshortcuts="F"
      onClick={() => onFold(id, !folded)}
    >
      <Icon name="chevron" />
      Ветка: {size}
    </button>
  );
  if (gone || !post) {
    return (
      <article
        className={styles.gone}
        {...walkedTo}
        aria-label="Запись удалена"
        aria-posinset={position}
        aria-setsize={setSize}
        data-depth={depthOf(level)}
      >
        <span>Запись удалена</span>
        {fold}
      </article>
    );
  }
  const whom = replied ? `в ответ ${replied.owner.username}` : 'в ответ на удалённую запись';
  const branch = {
    depth: depthOf(level),
    label: level > 1 ? `уровень ${level}, ${whom}` : undefined,
    replied: (
      <>
        {level >= deepest && (
          <a className={styles.replied} data-level={level} href={replied && addresses.post.href(replied)}>
            {replied ? (
              <>
                в ответ <bdi>@{replied.owner.username}</bdi>
              </>
            ) : (
              whom
            )}
          </a>
        )}
        {wasChangedAfter(replied, post) && <p className={styles.changed}>изменено после ответа</p>}
      </>
    ),
    fold,
  };
  return <PostCard post={post} place="thread" position={position} setSize={setSize} isNew={isNew} branch={branch} />;
});

interface BranchEndProps {
  id: string;
  level: number;
  /** How many direct replies to the post are not loaded. */
  count: number;
  isBusy: boolean;
  onMore: () => void;
}

/** Loads further replies of a branch. Without scripts the link leads to the page of the branch. */
export function BranchEnd({ id, level, count, isBusy, onMore }: BranchEndProps) {
  const load = (event: MouseEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!isBusy) onMore();
  };
  return (
    <div className={styles.more} data-depth={depthOf(level + 1)}>
      <a href={addresses.post.href({ id })} aria-busy={isBusy} onClick={load}>
        Показать ещё {count}
      </a>
    </div>
  );
}
