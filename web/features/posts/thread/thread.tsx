import { type ReactNode, useCallback, useRef, useState } from 'react';
import { NewPill, Pills } from '../list/new-pill.tsx';
import { useObservable } from '../../../lib/observable.ts';
import { inlineReply } from '../compose/inline-reply.ts';
import { ReplyForm } from '../compose/reply-form.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { usePerform } from '../../session/actions.ts';
import { PostListEnd } from '../list/post-list-end.tsx';
import { focusPost, moveBetweenPosts } from '../list/posts-on-screen.ts';
import { useNextPage } from '../list/use-next-page.ts';
import { withThread } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { isNewReply, type ThreadOrder, withFold } from '../store/thread-tree.ts';
import { usePost, usePostList, usePostStore } from '../store/use-posts.ts';
import { NewReplies } from './new-replies.tsx';
import { namesReplied, placeBelow } from './row-place.ts';
import { BranchEnd, ThreadRow } from './thread-row.tsx';
import styles from './thread.module.css';
import { useThreadControl } from './use-thread-control.ts';

/** The replies to a post with everything below them. */
export function Thread({ list: listId }: { list: PostListId }) {
  const store = usePostStore();
  const list = usePostList(listId);
  const thread = list.thread!;
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useNextPage(listId, end);
  const { feed, span, busy, control } = useThreadControl(listId);

  const answered = useObservable(inlineReply)?.postId;
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
  const setSize = list.next === null ? rows.length : -1;
  return (
    <div className={styles.thread} data-order={thread.order}>
      <RepliesHeading>
        {list.total > 1 && (
          <OrderSwitch order={thread.order} onChoose={(order) => control((it) => it.reorder(order))} />
        )}
      </RepliesHeading>
      {rows.length === 0 && list.next === null ? (
        <NoReplies postId={thread.postId} />
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
                onFold={fold}
                onFoldHead={foldHead}
                onReplied={showReplied}
              />
              {row.id === answered && <ReplyForm {...placeBelow(row)} />}
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
      {/* A new element for each page: moving the old one down would count as a layout shift. */}
      <div key={list.pages} ref={end}>
        <PostListEnd list={list} onMore={() => void showMore()} />
      </div>
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
        <button
          key={choice.order}
          type="button"
          aria-pressed={choice.order === order}
          onClick={() => onChoose(choice.order)}
        >
          {choice.name}
        </button>
      ))}
    </div>
  );
}

/** Shown in place of the replies. */
export function NoReplies({ postId }: { postId: string }) {
  const perform = usePerform();
  const isClosed = usePost(postId)?.actions.is_closed;
  return (
    <Notice
      title="Ответов пока нет"
      action={!isClosed && <Button onClick={() => perform({ kind: 'reply', postId })}>Ответить первым</Button>}
    />
  );
}
