import { addresses } from '#contract/addresses.ts';
import { loadList, type Page } from '../app/router/page.ts';
import { NameOfferPlace } from '../features/account/name-offer-place.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { onDemand } from '../lib/on-demand.ts';
import { Intro } from './intro.tsx';
import { notFound } from './not-found.tsx';

/** Only loaded while there is an announcement. */
const announcement = onDemand(() => import('../features/posts/pinned/pinned-post.tsx'));

export const feed: Page<object, { list: PostListId }> = {
  address: addresses.feed,
  access: 'public',
  async load(_, request) {
    const list = await loadList({ kind: 'feed' }, request);
    // The feed can be read without it.
    if (list.page.pinned) await announcement.load().catch(() => {});
    return { list };
  },
  missing: notFound,
  describe: () => ({ heading: 'Стена' }),
  Component: Feed,
  part: 'web/features/posts/pinned/pinned-post.tsx',
  needsPart: (found) => !!found?.list?.page.pinned,
  prefetch: announcement.load,
};

function Feed({ list }: { list: PostListId }) {
  const { pinned } = usePostList(list);
  const part = announcement.here();
  const announced = part && pinned;
  return (
    <>
      <Intro />
      <NameOfferPlace />
      {announced && <part.PinnedPost post={announced} />}
      <PostList list={list} label="Записи" announced={announced?.id} />
    </>
  );
}
