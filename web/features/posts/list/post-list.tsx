import { type ComponentType, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { namedOnDemand, useOnDemand } from '../../../lib/on-demand.ts';
import { useMutedAuthors } from '../../mutes/mutes.ts';
import { nothingYet, Notice } from '../../../ui/notice.tsx';
import { focusPost, moveBetweenPosts } from './posts-on-screen.ts';
import { type ListKind, PostMarksContext, RepeatedNewcomersContext } from '../card/post-card.tsx';
import { PostListEnd, useNextPage } from './post-list-end.tsx';
import { type ListRows, PostListItem, type PostListItemProps } from './post-list-item.tsx';
import type { PostList as List, PostListSource } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { limits } from '#contract/limits.ts';
import { windowedPosts } from './windowing.ts';

interface PostListProps {
  list: PostListId;
  /** The list's name for screen readers. */
  label: string;
  /** Shown while the list is empty. */
  empty?: { title: string; text: string; action?: ReactNode };
  /** The id of the pinned post above the list. */
  pinnedId?: string | undefined;
  item?: ComponentType<PostListItemProps>;
  rows?: ListRows;
}

const noMarks = {};
const nobody: ReadonlySet<string> = new Set();

function kindOf(source: PostListSource): ListKind {
  return 'userId' in source ? 'author' : 'list';
}

/** The first page is in normal flow, as the server sends it. Later posts are windowed. */
export function PostList(props: PostListProps) {
  const { list: listId, label, empty = nothingYet, pinnedId, item: Item = PostListItem, rows } = props;
  // The order of `rows` replaces that of the list.
  const list = { ...usePostList(listId), ...rows };
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useNextPage(listId, end);

  const { thing: ListPills } = useOnDemand(listPills, list.fresh.length > 0);

  const shared = { setSize: list.total, kind: kindOf(list.source), pinnedId };
  const { WindowedPosts, ...plain } = usePlainPosts(listId, list);
  const later = list.ids.slice(plain.count);

  const store = usePostStore();
  const muted = useMutedAuthors();
  const hasRow = (id: string) =>
    Item !== PostListItem || shared.kind !== 'list' || !muted.has(store.post(id)?.owner.id ?? '');

  const showMore = async () => {
    await loadNext();
    focusPost((list.above?.count ?? 0) + list.ids.length + 1);
  };

  const goToFirst = () => {
    plain.reset();
    scrollTo(0, 0);
    focusPost(1);
  };

  return (
    <PostMarksContext value={list.marks ?? noMarks}>
      <RepeatedNewcomersContext value={useRepeatedNewcomers(list.ids)}>
        {ListPills && <ListPills list={listId} onShown={goToFirst} />}
        {list.next === null && !list.ids.some(hasRow) ? (
          <Notice {...empty} />
        ) : (
          <div role="feed" aria-label={label} aria-busy={list.loading} onKeyDown={moveBetweenPosts}>
            {list.ids.slice(0, plain.count).map((id, index) => (
              <Item key={id} id={id} position={index + 1} {...shared} />
            ))}
            {WindowedPosts && later.length > 0 && (
              <WindowedPosts
                key={list.above?.from}
                list={listId}
                ids={later}
                after={plain.count}
                afterId={plain.last}
                item={Item}
                rows={rows}
                {...shared}
              />
            )}
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

/**
 * The number of posts that are in normal flow: the first page, and posts added above it later, so that the rows of windowed posts
 * keep their numbers. Posts that arrived before the code for windowing was loaded also stay in flow. A list that begins further
 * down the feed is windowed as a whole, because it grows at both ends.
 */
function usePlainPosts(listId: PostListId, { ids, above }: List) {
  const store = usePostStore();
  const from = above?.from;
  const [flow, setFlow] = useState({ last: store.heights(listId)?.after, from });

  // A list loaded from another place starts anew, also when it shares posts with the one before.
  let plain = flow.last === undefined || flow.from !== from ? -1 : ids.indexOf(flow.last);
  if (windowedPosts.here() === undefined) plain = ids.length - 1;
  else if (plain === -1) plain = Math.min(above ? 0 : limits.pageSize, ids.length) - 1;
  if (ids[plain] !== flow.last || flow.from !== from) setFlow({ last: ids[plain], from });
  return {
    /** Undefined until the code for windowing is loaded. */
    WindowedPosts: windowedPosts.here(),
    count: plain + 1,
    last: ids[plain],
    /** Puts only the first page into normal flow again. Called before the window scrolls to the top. */
    reset: useCallback(() => setFlow({ last: undefined, from: undefined }), []),
  };
}

/** Loaded together with live updates. */
export const listPills = namedOnDemand(() => import('./list-pills.tsx'), 'ListPills');
