import { useRef } from 'react';
import { limits } from '#contract/limits.ts';
import { Notice } from '../ui/notice.tsx';
import { focusPost } from './focus-post.ts';
import { moveBetweenPosts } from './move-between-posts.ts';
import { PostListEnd } from './post-list-end.tsx';
import { PostListItem } from './post-list-item.tsx';
import type { PostListId } from './post-store.ts';
import { useNextPage } from './use-next-page.ts';
import { usePostList } from './use-post-list.ts';
import { WindowedPosts } from './windowed-posts.tsx';

interface PostListProps {
  list: PostListId;
  /** What the list is called, for those who do not see it. */
  label: string;
}

/** The first page stands in plain flow, as the server sends it; what follows is windowed. */
export function PostList({ list: listId, label }: PostListProps) {
  const list = usePostList(listId);
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useNextPage(listId, end);

  const showMore = async () => {
    await loadNext();
    focusPost(list.ids.length + 1);
  };

  if (list.ids.length === 0 && list.next === null) {
    return <Notice title="Записи не найдены" text="Возможно, записи скоро появятся" />;
  }
  const first = list.ids.slice(0, limits.pageSize);
  const later = list.ids.slice(limits.pageSize);
  const shared = { setSize: list.total, place: list.source.kind === 'replies' ? 'thread' : 'list' } as const;
  return (
    <>
      <div role="feed" aria-label={label} aria-busy={list.loading} onKeyDown={moveBetweenPosts}>
        {first.map((id, index) => (
          <PostListItem key={id} id={id} position={index + 1} {...shared} />
        ))}
        {later.length > 0 && <WindowedPosts list={listId} ids={later} after={first.length} {...shared} />}
      </div>
      {/* A new element for each page: the old one jumping down would count as a shift of the layout. */}
      <div key={list.pages} ref={end}>
        <PostListEnd list={list} onMore={() => void showMore()} />
      </div>
    </>
  );
}
