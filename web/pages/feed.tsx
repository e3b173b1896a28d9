import { addresses } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import { PinnedPost } from '../features/posts/pinned/pinned-post.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { FeedTabs } from './feed-tabs.tsx';
import { Intro } from './intro.tsx';
import { notFound } from './not-found.tsx';

export const feed: Page<object, { list: PostListId }> = {
  address: addresses.feed,
  access: 'public',
  load: async (_, request) => ({ list: await loadList({ kind: 'feed' }, request) }),
  missing: notFound,
  describe: () => ({ heading: 'Стена' }),
  Component: Feed,
};

function Feed({ list }: { list: PostListId }) {
  const { pinned } = usePostList(list);
  return (
    <>
      <FeedTabs current="Новые" />
      <Intro />
      {pinned && <PinnedPost post={pinned} />}
      <PostList list={list} label="Записи" pinnedId={pinned?.id} />
    </>
  );
}
