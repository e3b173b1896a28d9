import { addresses } from '#contract/addresses.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import type { Page } from '../router/page.ts';
import { FeedTabs } from './feed-tabs.tsx';
import { notFound } from './not-found.tsx';
import { Waiting } from './waiting.tsx';

/** The discussions that replies have lifted, the last one first. */
export const discussed: Page<object, { list: PostListId }> = {
  address: addresses.discussed,
  access: 'public',
  load: async (_, request) => ({ list: await loadList({ kind: 'discussed' }, request) }),
  missing: notFound,
  describe: () => ({ heading: 'Стена', title: 'Обсуждаемые' }),
  Component: ({ list }) => (
    <>
      <FeedTabs current="Обсуждаемые" />
      <Waiting />
      <PostList
        list={list}
        label="Обсуждаемые записи"
        empty={{ title: 'Обсуждений пока нет', text: 'Здесь будут записи, на которые отвечают' }}
      />
    </>
  ),
};

/** The discussions that the reader follows. */
export const following: Page<object, { list: PostListId }> = {
  address: addresses.following,
  access: 'user',
  load: async (_, request) => ({ list: await loadList({ kind: 'following' }, request) }),
  describe: () => ({ heading: 'Стена', title: 'Слежу' }),
  Component: ({ list }) => (
    <>
      <FeedTabs current="Слежу" />
      <PostList list={list} label="Обсуждения, за которыми вы следите" empty={nothingFollowed} />
    </>
  ),
};

const nothingFollowed = {
  title: 'Вы ни за чем не следите',
  text: 'Ответьте в обсуждении или выберите «Следить за обсуждением» в меню записи',
};
