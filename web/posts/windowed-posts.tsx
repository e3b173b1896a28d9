import { type ComponentType, useLayoutEffect, useRef, useState } from 'react';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import type { ListedPlace } from './post-card.tsx';
import type { PostListItemProps } from './post-list-item.tsx';
import styles from './post-list.module.css';
import { usePostStore } from './post-store-context.ts';
import type { PostListId } from './post-store.ts';
import { onScrollToPost } from './scroll-to-post.ts';
import { useSteadyTop } from './use-steady-top.ts';
import { windowedRows } from './windowed-rows.ts';

interface WindowedPostsProps {
  list: PostListId;
  ids: readonly string[];
  /** How many posts stand above in plain flow, and the last of them. */
  after: number;
  afterId: string | undefined;
  setSize: number;
  place: ListedPlace;
  item: ComponentType<PostListItemProps>;
}

/**
 * A guess for posts not yet seen. Without one virtua takes 40 px, and until it has measured a windowful it keeps nothing
 * beyond the window: the keyboard would find no next post.
 */
const usualHeight = 180;

/** Only the posts near the viewport are in the document. */
export function WindowedPosts({ list, ids, after, afterId, item: Item, ...shared }: WindowedPostsProps) {
  const store = usePostStore();
  const virtualizer = useRef<WindowVirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  useSteadyTop(box, list);

  const [measured] = useState(() => store.heights(list));
  const isAsMeasured = measured?.after === afterId;
  const [rows, setRows] = useState((isAsMeasured && measured?.rows) || ids);
  const rowsNow = windowedRows(rows, ids);
  if (rowsNow !== rows) setRows(rowsNow);

  useLayoutEffect(() => {
    const handle = virtualizer.current;
    return () => {
      if (handle) store.keepHeights(list, { after: afterId, rows: rowsNow, cache: handle.cache });
    };
  }, [store, list, afterId, rowsNow]);

  useLayoutEffect(
    () =>
      onScrollToPost((id, top) => {
        virtualizer.current?.scrollToIndex(rowsNow.indexOf(id), { align: 'start', offset: -top });
      }),
    [rowsNow],
  );

  const positions = new Map(ids.map((id, index) => [id, after + index + 1]));
  return (
    <div ref={box} className={styles.windowed}>
      <WindowVirtualizer
        ref={virtualizer}
        data={rowsNow}
        itemSize={usualHeight}
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
