import { type ComponentType, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import type { ListKind } from '../card/post-card.tsx';
import type { ListRows, PostListItemProps } from './post-list-item.tsx';
import styles from './post-list.module.css';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import type { PostListId } from '../store/post-store.ts';
import { onScrollToPost } from './posts-on-screen.ts';
import { windowedRows } from './windowed-rows.ts';

interface WindowedPostsProps {
  list: PostListId;
  ids: readonly string[];
  /** How many posts are above in normal flow, and the id of the last of them. */
  after: number;
  afterId: string | undefined;
  setSize: number;
  kind: ListKind;
  pinnedId: string | undefined;
  item: ComponentType<PostListItemProps>;
  rows: ListRows | undefined;
}

/** The usual height of a post with a Russian text on a phone, px. */
const usualHeight = 150;

/**
 * The assumed height in pixels of posts that have not been measured: that of the posts which are on the page. virtua's default
 * of 40 is too small: until it has measured a window of posts it renders none below the window, and the keyboard finds no next
 * post.
 */
function assumedHeight(): number {
  const cards = document.querySelectorAll('[role=feed] article[aria-posinset]');
  const total = [...cards].reduce((sum, { clientHeight }) => sum + clientHeight, 0);
  return cards.length === 0 ? usualHeight : Math.round(total / cards.length);
}

/** A list of which only the posts near the viewport are in the document. */
export function WindowedPosts({ list, ids, after, afterId, item: Item, rows, ...shared }: WindowedPostsProps) {
  const store = usePostStore();
  const virtualizer = useRef<WindowVirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const { above } = usePostList(list);
  useSteadyTop(box, list, above === undefined);

  const [measured] = useState(() => store.heights(list));
  const [assumed] = useState(assumedHeight);
  const isAsMeasured = measured?.after === afterId;
  const [shown, setShown] = useState({ rows: (isAsMeasured && measured?.rows) || ids, isGrownAbove: false });
  const rowsNow = windowedRows(shown.rows, ids);
  if (rowsNow !== shown.rows) {
    setShown({ rows: rowsNow, isGrownAbove: above !== undefined && shown.rows[0] !== rowsNow[0] });
  }

  useLayoutEffect(() => {
    const handle = virtualizer.current;
    return () => {
      if (handle) store.setHeights(list, { after: afterId, rows: rowsNow, cache: handle.cache });
    };
  }, [store, list, afterId, rowsNow]);

  useLayoutEffect(
    () =>
      onScrollToPost((id, top) => {
        const offset = (rows?.leadOf(id) ?? 0) - top;
        virtualizer.current?.scrollToIndex(rowsNow.indexOf(id), { align: 'start', offset });
      }),
    [rowsNow, rows],
  );

  // Near the end of a list virtua corrects the scroll position, starting from that of the last scroll event. Firefox may measure twice
  // before it sends the event, so it is sent here.
  const reportScroll = () => {
    if (virtualizer.current?.scrollOffset !== scrollY) dispatchEvent(new Event('scroll'));
  };

  const first = after + (above?.count ?? 0) + 1;
  const positions = new Map(ids.map((id, index) => [id, first + index]));
  return (
    <div ref={box} className={styles.windowed}>
      <WindowVirtualizer
        ref={virtualizer}
        data={rowsNow}
        itemSize={assumed}
        // With `shift` virtua keeps the posts on the screen where they are.
        shift={shown.isGrownAbove}
        // Posts that are first measured in view would move the posts below them, so a window of posts is measured ahead.
        {...(above && { bufferSize: innerHeight, onResize: reportScroll })}
        {...(isAsMeasured && measured && { cache: measured.cache })}
      >
        {(id) => {
          const position = positions.get(id);
          return position === undefined ? <></> : <Item key={id} id={id} position={position} {...shared} />;
        }}
      </WindowVirtualizer>
    </div>
  );
}

/**
 * Scrolls the window so that a post added or removed above the viewport does not move what is on screen. Most browsers do
 * this in normal flow (scroll anchoring), but not for windowed posts.
 */
function useSteadyTop(box: RefObject<HTMLElement | null>, listId: PostListId, hasPostsAbove: boolean): void {
  const store = usePostStore();
  const shownIds = useRef(store.list(listId)?.ids);
  const topBefore = useRef<number>(null);

  useLayoutEffect(
    () =>
      // Called before React renders the change.
      store.content.subscribe(() => {
        if (store.list(listId)?.ids === shownIds.current) return;
        topBefore.current ??= box.current?.getBoundingClientRect().top ?? null;
      }),
    [store, listId, box],
  );

  useLayoutEffect(() => {
    const before = topBefore.current;
    shownIds.current = store.list(listId)?.ids;
    topBefore.current = null;
    // A list that starts below the top edge of the window may move.
    if (!hasPostsAbove || before === null || before > 0 || !box.current) return;
    const moved = box.current.getBoundingClientRect().top - before;
    if (moved !== 0) scrollBy(0, moved);
  });
}
