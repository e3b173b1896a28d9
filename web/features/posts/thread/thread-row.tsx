import { memo, type MouseEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import { Icon } from '../../../ui/icon.tsx';
import { PostCard } from '../card/post-card.tsx';
import type { Row } from '../store/thread-tree.ts';
import { usePost } from '../store/use-posts.ts';
import { foldLabel, placeBelow, placeOf } from './row-place.ts';
import { wasChangedAfter } from './was-changed-after.ts';
import styles from './thread.module.css';

interface ThreadRowProps {
  row: Row;
  /** Whether it says what it is a reply to. */
  namesReplied: boolean;
  position: number;
  setSize: number;
  isNew: boolean;
  onFold: (id: string, fold: boolean) => void;
  /** Called with the post whose branch folds when its line is tapped. */
  onFoldHead: (id: string) => void;
  /** Called when the reader wants to see what the reply is to. */
  onReplied: (id: string, parent: string) => void;
}

/** The keys that go from post to post find it too. */
const walkedTo = { tabIndex: 0 };

export const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const { row, namesReplied, position, setSize, isNew, onFold, onFoldHead, onReplied } = props;
  const { id, parent, level, folded, gone, head } = row;
  const { depth, line } = placeOf(row);
  const post = usePost(id);
  const replied = usePost(parent);
  const label = foldLabel(row);
  const foldLine = (event: MouseEvent) => {
    // The card would open its page.
    event.stopPropagation();
    onFoldHead(head!);
  };
  const fold = (
    <>
      {label !== null && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={!folded}
          aria-keyshortcuts="F"
          onClick={() => onFold(id, !folded)}
        >
          <Icon name="chevron" />
          {label}
        </button>
      )}
      {/* The control of its post does the same for keys and screen readers. */}
      {head !== null && <span className={styles.line} data-fold aria-hidden="true" onClick={foldLine} />}
    </>
  );
  if (gone || !post) {
    return (
      <article
        className={styles.gone}
        {...walkedTo}
        aria-label="Запись удалена"
        aria-posinset={position}
        aria-setsize={setSize}
        data-depth={depth}
        data-line={line}
      >
        <span>Запись удалена</span>
        {fold}
      </article>
    );
  }
  const whom = replied ? `в ответ ${replied.owner.username}` : 'в ответ на удалённую запись';
  const branch = {
    depth,
    line,
    label: level > 1 ? `уровень ${level}, ${whom}` : undefined,
    replied: (
      <>
        {namesReplied && (
          <a
            className={styles.replied}
            data-level={level}
            href={replied && addresses.post.href(replied)}
            onClick={(event) => takesClick(event) && onReplied(id, parent)}
          >
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

/** Whether scripts take over a click on a link. With a key it opens a tab or a window. */
function takesClick(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return false;
  event.preventDefault();
  return true;
}

interface BranchEndProps {
  /** The post whose replies continue. */
  row: Row;
  /** How many direct replies to the post are not loaded. */
  count: number;
  isBusy: boolean;
  onMore: () => void;
}

/** Loads further replies of a branch. Without scripts the link leads to the page of the branch. */
export function BranchEnd({ row, count, isBusy, onMore }: BranchEndProps) {
  return (
    <div className={styles.more} {...placeBelow(row)}>
      <a
        href={addresses.post.href(row)}
        aria-busy={isBusy}
        onClick={(event) => takesClick(event) && !isBusy && onMore()}
      >
        Показать ещё {count}
      </a>
    </div>
  );
}
