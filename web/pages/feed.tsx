import { addresses } from '#contract/addresses.ts';
import { loadList, type Page } from '../app/router/page.ts';
import { NameOfferPlace } from '../features/account/name-offer-place.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { Intro } from './intro.tsx';
import { notFound } from './not-found.tsx';

export const feed: Page<object, { list: PostListId }> = {
  address: addresses.feed,
  access: 'public',
  load: async (_, request) => ({ list: await loadList({ kind: 'feed' }, request) }),
  missing: notFound,
  describe: () => ({ heading: 'Стена' }),
  Component: ({ list }) => (
    <>
      <Intro />
      <NameOfferPlace />
      <PostList list={list} label="Записи" />
    </>
  ),
};
