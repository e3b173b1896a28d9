import { type ComponentType, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { namedOnDemand, onDemand, useOnDemand } from '../../../lib/on-demand.ts';
import { useHides } from '../../mutes/mutes.ts';
import { nothingYet, Notice } from '../../../ui/notice.tsx';
import { focusPost, moveBetweenPosts, onScrollToPost } from './posts-on-screen.ts';
import { type ListKind, PostMarksContext, RepeatedNewcomersContext } from '../card/post-card.tsx';
import { PostListEnd, useNextPage } from './post-list-end.tsx';
import { PostListItem, type PostListItemProps } from './post-list-item.tsx';
import { firstSpan, type Span } from './row-span.ts';
import styles from './post-list.module.css';
import type { PostListSource } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { limits } from '#contract/limits.ts';

interface PostListProps {
  list: PostListId;
  /** The list's name for screen readers. */
  label: string;
  /** Shown while the list is empty. */
  empty?: { title: string; text: string; action?: ReactNode };
  /** The id of the pinned post above the list. */
  pinnedId?: string | undefined;
  item?: ComponentType<PostListItemProps>;
  /** The posts in the order of the screen, if that is not the order of the list. */
  order?: readonly string[];
}

const noMarks = {};
const nobody: ReadonlySet<string> = new Set();

function kindOf(source: PostListSource): ListKind {
  return 'userId' in source ? 'author' : 'list';
}

export function PostList(props: PostListProps) {
  const { list: listId, label, empty = nothingYet, pinnedId, item: Item = PostListItem, order } = props;
  const list = usePostList(listId);
  const ids = order ?? list.ids;
  const feed = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useNextPage(listId, end);

  const { thing: ListPills } = useOnDemand(listPills, list.fresh.length > 0);

  const shared = { setSize: list.total, kind: kindOf(list.source), pinnedId };
  const span = useSpan(listId, feed, order);
  const { start, end: stop, before, after } = span ?? whole;
  const first = (list.above?.count ?? 0) + 1;

  const store = usePostStore();
  const whyHidden = useHides();
  const isShown = (id: string) => Item !== PostListItem || !whyHidden(store.post(id), shared.kind);

  const showMore = async () => {
    await loadNext();
    focusPost(first + ids.length);
  };

  const goToFirst = () => {
    scrollTo(0, 0);
    focusPost(1);
  };

  return (
    <PostMarksContext value={list.marks ?? noMarks}>
      <RepeatedNewcomersContext value={useRepeatedNewcomers(ids)}>
        {ListPills && <ListPills list={listId} onShown={goToFirst} />}
        {list.next === null && !ids.some(isShown) ? (
          <Notice {...empty} />
        ) : (
          <div
            ref={feed}
            className={span ? styles.windowed : undefined}
            role="feed"
            aria-label={label}
            aria-busy={list.loading}
            onKeyDown={moveBetweenPosts}
          >
            {before > 0 && <div style={{ blockSize: before }} />}
            {ids.slice(start, stop).map((id, index) => (
              <div key={id} data-row={id}>
                <Item id={id} position={first + start + index} {...shared} />
              </div>
            ))}
            {after > 0 && <div style={{ blockSize: after }} />}
          </div>
        )}
        {/* A new element for each page: moving the old one down would count as a layout shift. */}
        <div key={`${list.above?.from} ${list.pages}`} ref={end}>
          <PostListEnd list={list} onMore={() => void showMore()} />
        </div>
      </RepeatedNewcomersContext>
    </PostMarksContext>
  );
}

/**
 * The posts whose authors have another post above. Empty unless more than half of the authors on the first page are newcomers:
 * on a young wall every card would have the newcomer's chip.
 */
function useRepeatedNewcomers(ids: readonly string[]): ReadonlySet<string> {
  const store = usePostStore();
  return useMemo(() => {
    const owners = ids.map((id) => store.post(id)?.owner);
    const first = new Map(owners.slice(0, limits.pageSize).map((owner) => [owner?.id, owner]));
    const newcomers = [...first.values()].filter((owner) => owner?.newcomer_until !== undefined);
    if (newcomers.length * 2 <= first.size) return nobody;
    const seen = new Set<string | undefined>();
    return new Set(ids.filter((_, index) => seen.size === seen.add(owners[index]?.id).size));
  }, [store, ids]);
}

/** Loaded after the first page, which is in the document as a whole. */
export const rowWindow = onDemand(() => import('./row-window.ts'));

const whole: Span = { start: 0, end: Infinity, before: 0, after: 0 };

/** The rows that are in the document; null: all. */
function useSpan(listId: PostListId, feed: RefObject<HTMLElement | null>, order: readonly string[] | undefined) {
  const store = usePostStore();
  const { thing: part } = useOnDemand(rowWindow, true);
  const [span, setSpan] = useState(() => firstSpan(order ?? store.list(listId)!.ids, store.rowHeights(listId)));
  const shownOrder = useRef(order);
  const rendered = useRef(() => {});

  useLayoutEffect(() => {
    shownOrder.current = order;
  }, [order]);
  useLayoutEffect(() => {
    if (!part) return undefined;
    const it = part.createRowWindow({ store, listId, feed, setSpan, order: () => shownOrder.current });
    rendered.current = it.rendered;
    const stops = [it.start(), onScrollToPost(it.bringIn)];
    return () => stops.forEach((stop) => stop());
  }, [part, store, listId, feed]);
  useLayoutEffect(() => rendered.current());
  // Without the code, which may fail to load, no further rows would follow the first ones.
  return part ? span : null;
}

/** Loaded together with live updates. */
export const listPills = namedOnDemand(() => import('./list-pills.tsx'), 'ListPills');
