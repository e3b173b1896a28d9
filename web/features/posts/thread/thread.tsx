import {
  Fragment,
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { addresses } from '#contract/addresses.ts';
import { shortCount } from '../../../lib/counts.ts';
import { explainLoading, onDemand } from '../../../lib/on-demand.ts';
import { showToast } from '../../../lib/toasts.ts';
import { takesClick } from '../../../lib/watch.ts';
import { Icon } from '../../../ui/icon.tsx';
import { nothingYet, Notice } from '../../../ui/notice.tsx';
import { useHides } from '../../mutes/mutes.ts';
import { onWalkSiblings } from '../../shortcuts/shortcut.ts';
import { PostCard } from '../card/post-card.tsx';
import { wasChangedAfter } from '../card/post-time.tsx';
import { NewPill, Pills } from '../list/new-pill.tsx';
import { PostListEnd, useNextPage } from '../list/post-list-end.tsx';
import { focusPost, moveBetweenPosts } from '../list/posts-on-screen.ts';
import { firstSpan, type Span } from '../list/row-span.ts';
import { type PostList, withThread } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { isNewReply, type Row, type ThreadOrder, unreadReplies, withFold } from '../store/thread-tree.ts';
import { usePost, usePostList, usePostStore } from '../store/use-posts.ts';
import { foldLabel, namesReplied, indentBelow, indentOf } from './rows.ts';
import type { ThreadControl } from './thread-control.ts';
import { showOrder } from './thread-order.ts';
import styles from './thread.module.css';

/** Loaded after the first page: reading the first replies does not need it. */
export const threadControl = onDemand(() => import('./thread-control.ts'));

/** Loads `thread-control.ts` and returns a function that acts through it. */
function useThreadControl(listId: PostListId) {
  const store = usePostStore();
  const feed = useRef<HTMLDivElement>(null);
  const running = useRef<ThreadControl>(null);
  const [part, setPart] = useState(threadControl.here);
  const [span, setSpan] = useState<Span | null>(() => firstSpan(store.list(listId)!.ids, store.rowHeights(listId)));
  const [busy, setBusy] = useState<string | null>(null);

  useEffect(() => {
    let isUnmounted = false;
    threadControl.load().then((loaded) => !isUnmounted && setPart(loaded), showOrder);
    return () => {
      isUnmounted = true;
    };
  }, []);

  useLayoutEffect(() => {
    if (!part) return undefined;
    const it = part.controlThread({ store, listId, feed, setSpan, setBusy });
    running.current = it;
    return () => it.stop();
  }, [part, store, listId]);

  useLayoutEffect(() => running.current?.rendered());

  const control = useCallback((act: (it: ThreadControl) => void) => {
    const run = async () => {
      try {
        const loaded = await threadControl.load();
        flushSync(() => setPart(loaded));
        act(running.current!);
      } catch (error) {
        showToast(explainLoading(error));
      }
    };
    void run();
  }, []);
  // The key may be pressed while the code is loading.
  useEffect(() => onWalkSiblings((step) => control((it) => it.walkSiblings(step))));

  // Without the code, which may fail to load, no further rows would follow the first ones.
  return { feed, span: part ? span : null, busy, control };
}

interface ThreadRowProps {
  row: Row;
  /** Whether the reply names the post it replies to. */
  namesReplied: boolean;
  position: number;
  setSize: number;
  isNew: boolean;
  /** The id of the author of the root. */
  rootAuthor: string | undefined;
  onFold: (id: string, fold: boolean) => void;
  /** Called with the post whose branch folds when its line is tapped. */
  onFoldHead: (id: string) => void;
  /** Called when the reader goes to the replied post. */
  onReplied: (id: string, parent: string) => void;
}

/** Rows of deleted posts can have the focus, so that the keys that go from post to post stop at them. */
const walkedTo = { tabIndex: 0 };

const ThreadRow = memo(function ThreadRow(props: ThreadRowProps) {
  const { row, namesReplied: hasNames, position, setSize, isNew, rootAuthor, onFold, onFoldHead, onReplied } = props;
  const { id, parent, level, folded, gone, head, direct } = row;
  const { depth, line } = indentOf(row);
  const post = usePost(id);
  const replied = usePost(parent);
  const label = foldLabel(row);
  const foldLine = (event: MouseEvent) => {
    // Otherwise the click would reach the card, which would open its page.
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
          <span>
            <span>{label[0]}</span> <span>{label[1]}</span>
          </span>
        </button>
      )}
      {/* Keyboards and screen readers fold with the control of the branch's post instead. */}
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
        {hasNames && (
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
    isByAuthor: post.owner.id === rootAuthor,
    goesOn: direct > 0 && !folded,
  };
  return <PostCard post={post} kind="thread" position={position} setSize={setSize} isNew={isNew} branch={branch} />;
});

interface BranchEndProps {
  /** The post whose replies continue. */
  row: Row;
  /** How many direct replies to the post are not loaded. */
  count: number;
  isBusy: boolean;
  onMore: () => void;
}

/** Loads further replies of a branch. Without scripts the link leads to the page of the branch. */
function BranchEnd({ row, count, isBusy, onMore }: BranchEndProps) {
  return (
    <div className={styles.more} {...indentBelow(row)}>
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

interface NewRepliesProps {
  list: PostListId;
  /** `wanted` returns the new replies that are known at the time. */
  onNext: (wanted: () => string[]) => void;
}

/**
 * A button that goes from one new reply to the next: those that arrive while the page is open, then those that came since
 * the last visit. Replies of muted authors and with hidden words do not count.
 */
function NewReplies({ list: listId, onNext }: NewRepliesProps) {
  const store = usePostStore();
  const list = usePostList(listId);
  const whyHidden = useHides();

  const ownerOf = (id: string) => store.post(id)?.owner.id;
  const isShown = (id: string) => !whyHidden(store.post(id));
  const arrivedIn = ({ fresh, thread }: PostList): string[] =>
    fresh.filter(({ id, ownerId }) => isShown(id) && ownerId !== thread?.visit?.reader).map(({ id }) => id);
  const unreadIn = ({ thread }: PostList): string[] => (thread ? unreadReplies(thread, ownerOf).filter(isShown) : []);

  const [arrived, unread] = [arrivedIn(list).length, unreadIn(list).length];
  if (arrived + unread === 0) return null;
  const wanted = () => {
    const now = store.list(listId)!;
    return arrived > 0 ? arrivedIn(now) : unreadIn(now);
  };
  const label = arrived > 0 ? `Новые ответы: ${shortCount(arrived)}` : `К следующему новому: ${shortCount(unread)}`;
  return <NewPill label={label} shortcut="U" onClick={() => onNext(wanted)} />;
}

/** From this number of replies on, about three screens of a phone, links lead to the end and back. */
const longFrom = 25;

function toStart(): void {
  scrollTo({ top: 0 });
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** The replies to a post with everything below them. */
export function Thread({ list: listId }: { list: PostListId }) {
  const store = usePostStore();
  const list = usePostList(listId);
  const thread = list.thread!;
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useNextPage(listId, end);
  const { feed, span, busy, control } = useThreadControl(listId);

  const [jumpedFrom, setJumpedFrom] = useState<string | null>(null);
  const goBack = (id: string) => {
    setJumpedFrom(null);
    control((it) => it.goBack(id));
  };

  const fold = useCallback(
    (id: string, wanted: boolean) =>
      store.update(listId, (shown) => withThread(shown, withFold(shown.thread!, id, wanted))),
    [store, listId],
  );
  const foldHead = useCallback((id: string) => control((it) => it.foldFromLine(id)), [control]);
  const showReplied = useCallback(
    (id: string, parent: string) => control((it) => it.toReplied(id, parent, setJumpedFrom)),
    [control],
  );

  const { rows } = thread;
  const showMore = async () => {
    await loadNext();
    focusPost(rows.length + 1);
  };
  const { start, end: stop, before, after } = span ?? { start: 0, end: rows.length, before: 0, after: 0 };
  const total = store.post(thread.postId)?.actions.thread_count ?? list.total;
  const root = store.post(thread.ancestors[0] ?? thread.postId);
  const rootAuthor = root?.actions.replied_post_id === null ? root.owner.id : undefined;
  const unprinted = total - rows.filter(({ gone }) => !gone).length;
  const setSize = list.next === null ? rows.length : -1;
  const isLong = total >= longFrom;
  return (
    <div className={styles.thread} data-order={thread.order}>
      <RepliesHeading>
        {isLong && (
          <a
            className={styles.jump}
            href="#end"
            onClick={(event) => takesClick(event) && control((it) => void it.toEnd())}
          >
            В конец
          </a>
        )}
        {list.total > 1 && (
          <OrderSwitch order={thread.order} onChoose={(order) => control((it) => it.reorder(order))} />
        )}
      </RepliesHeading>
      {rows.length === 0 && list.next === null ? (
        <NoReplies />
      ) : (
        <div
          ref={feed}
          className={styles.rows}
          role="feed"
          aria-label="Ответы"
          aria-busy={list.loading}
          onKeyDown={moveBetweenPosts}
        >
          {span && <div style={{ blockSize: before }} />}
          {rows.slice(start, stop).map((row, index) => (
            <div key={row.id} className={styles.row} data-row={row.id}>
              <ThreadRow
                row={row}
                namesReplied={namesReplied(row, rows[start + index - 1])}
                position={start + index + 1}
                setSize={setSize}
                isNew={isNewReply(thread, row.id, store.post(row.id)?.owner.id)}
                rootAuthor={rootAuthor}
                onFold={fold}
                onFoldHead={foldHead}
                onReplied={showReplied}
              />
              {row.ends.map((id) => (
                <BranchEnd
                  key={id}
                  row={rows.find((above) => above.id === id)!}
                  count={thread.nodes.get(id)!.more!.count}
                  isBusy={busy === id}
                  onMore={() => control((it) => void it.more(id))}
                />
              ))}
            </div>
          ))}
          {span && <div style={{ blockSize: after }} />}
        </div>
      )}
      {unprinted > 0 && <p hidden data-paper>{`Не напечатано ответов: ${unprinted}`}</p>}
      {/* A new element for each page: moving the old one down would count as a layout shift. */}
      <div key={list.pages} ref={end}>
        <PostListEnd list={list} onMore={() => void showMore()} />
      </div>
      {isLong && (
        <a id="end" className={styles.jump} href="#main" onClick={(event) => takesClick(event) && toStart()}>
          В начало
        </a>
      )}
      <Pills>
        {jumpedFrom !== null && <NewPill label="Вернуться" variant="quiet" onClick={() => goBack(jumpedFrom)} />}
        <NewReplies list={listId} onNext={(wanted) => control((it) => void it.nextOf(wanted))} />
      </Pills>
    </div>
  );
}

export function RepliesHeading({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h2 className={styles.heading}>Ответы</h2>
      {children}
    </div>
  );
}

const orders = [
  { order: 'newest', name: 'Сначала новые' },
  { order: 'oldest', name: 'Сначала старые' },
] as const;

/** The order of the direct replies. */
function OrderSwitch({ order, onChoose }: { order: ThreadOrder; onChoose: (order: ThreadOrder) => void }) {
  return (
    <div className={styles.orders} role="group" aria-label="Порядок ответов">
      {orders.map((choice) => (
        <Fragment key={choice.order}>
          <button type="button" aria-pressed={choice.order === order} onClick={() => onChoose(choice.order)}>
            {choice.name}
          </button>{' '}
        </Fragment>
      ))}
    </div>
  );
}

/** Shown in place of the replies. */
export const NoReplies = () => <Notice {...nothingYet} />;
