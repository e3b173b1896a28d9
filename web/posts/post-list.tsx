import { type ComponentType, useRef } from 'react';
import { useOnDemand } from '../lib/on-demand.ts';
import { Notice } from '../ui/notice.tsx';
import { focusPost } from './focus-post.ts';
import { moveBetweenPosts } from './move-between-posts.ts';
import type { ListedPlace } from './post-card.tsx';
import { PostListEnd } from './post-list-end.tsx';
import { PostListItem, type PostListItemProps } from './post-list-item.tsx';
import styles from './post-list.module.css';
import type { PostListSource } from './post-list-state.ts';
import type { PostListId } from './post-store.ts';
import { freshPosts } from './fresh-posts-on-demand.ts';
import { useNextPage } from './use-next-page.ts';
import { usePlainPosts } from './use-plain-posts.ts';
import { usePostList } from './use-post-list.ts';

interface PostListProps {
  list: PostListId;
  /** What the list is called, for those who do not see it. */
  label: string;
  /** What it says of itself while nothing stands in it. */
  empty?: { title: string; text: string };
  item?: ComponentType<PostListItemProps>;
}

const nothingYet = { title: 'Записи не найдены', text: 'Возможно, записи скоро появятся' };

function placeIn({ kind }: PostListSource): ListedPlace {
  if (kind === 'replies') return 'thread';
  return kind === 'user' ? 'author' : 'list';
}

/** Plain flow first, as the server sends it; what follows is windowed. */
export function PostList(props: PostListProps) {
  const { list: listId, label, empty = nothingYet, item: Item = PostListItem } = props;
  const list = usePostList(listId);
  const feed = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useNextPage(listId, end);

  const { thing: FreshPosts } = useOnDemand(freshPosts, list.fresh.length > 0);

  const isThread = list.source.kind === 'replies';
  const shared = { setSize: list.total, place: placeIn(list.source) };
  const { WindowedPosts, ...plain } = usePlainPosts(listId, list.ids);
  const later = list.ids.slice(plain.count);

  const showMore = async () => {
    await loadNext();
    focusPost(list.ids.length + 1);
  };

  const goToFirst = () => {
    plain.reset();
    // Over replies stands what they answer.
    if (isThread) feed.current?.scrollIntoView();
    else scrollTo(0, 0);
    focusPost(1);
  };

  return (
    <>
      {FreshPosts && <FreshPosts list={listId} place={shared.place} onShown={goToFirst} />}
      {list.ids.length === 0 && list.next === null ? (
        <Notice {...empty} />
      ) : (
        <div
          ref={feed}
          className={styles.feed}
          role="feed"
          aria-label={label}
          aria-busy={list.loading}
          onKeyDown={moveBetweenPosts}
        >
          {list.ids.slice(0, plain.count).map((id, index) => (
            <Item key={id} id={id} position={index + 1} {...shared} />
          ))}
          {WindowedPosts && later.length > 0 && (
            <WindowedPosts list={listId} ids={later} after={plain.count} afterId={plain.last} item={Item} {...shared} />
          )}
        </div>
      )}
      {/* A new element for each page: the old one jumping down would count as a shift of the layout. */}
      <div key={list.pages} ref={end}>
        <PostListEnd list={list} onMore={() => void showMore()} />
      </div>
    </>
  );
}
