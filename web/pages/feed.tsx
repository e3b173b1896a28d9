import { addresses } from '#contract/addresses.ts';
import { isReply } from '../features/moderation/removed-area.tsx';
import { WriteField } from '../features/posts/card/write-field.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import { PinnedPost } from '../features/posts/pinned/pinned-post.tsx';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import type { Page } from '../router/page.ts';
import button from '../ui/button.module.css';
import { nothingYet } from '../ui/notice.tsx';
import lists from '../ui/list-page.module.css';
import { feedFrame } from './feed-tabs.tsx';
import { notFound } from './not-found.tsx';
import { AboveFeedPlace, OwnPending, Waiting } from './waiting-parts.tsx';

/** The discussions in the order of their latest replies, newest first. */
export const discussed: Page<object, { list: PostListId }> = {
  address: addresses.discussed,
  access: 'public',
  load: async (_, request) => ({ list: await loadList({ kind: 'discussed' }, request) }),
  missing: notFound,
  describe: () => ({ heading: 'Стена', title: 'Обсуждаемые' }),
  Frame: feedFrame('Обсуждаемые'),
  Component: ({ list }) => (
    <>
      <Waiting />
      <PostList
        list={list}
        label="Обсуждаемые записи"
        empty={{ title: 'Обсуждений пока нет', text: 'Здесь будут записи, на которые отвечают' }}
      />
      <p className={lists.about}>
        <a href={addresses.best.href()}>Лучшее недели</a>
      </p>
    </>
  ),
};

export const feed: Page<object, { list: PostListId }> = {
  address: addresses.feed,
  access: 'public',
  load: async (_, request) => ({ list: await loadList({ kind: 'feed' }, request) }),
  missing: notFound,
  describe: () => ({ heading: 'Стена' }),
  Frame: feedFrame('Новые'),
  Component: Feed,
};

const nothingPublished = {
  ...nothingYet,
  action: (
    <a href={addresses.newPost.href()} className={button.button} data-variant="quiet">
      Напишите первым
    </a>
  ),
};

function Feed({ list }: { list: PostListId }) {
  const { pinned } = usePostList(list);
  return (
    <>
      <AboveFeedPlace />
      <WriteField href={addresses.newPost.href()} isForMembers>
        Что у вас?
      </WriteField>
      {pinned && <PinnedPost post={pinned} />}
      <OwnPending which={(post) => !isReply(post)} />
      <PostList list={list} label="Записи" pinnedId={pinned?.id} empty={nothingPublished} />
    </>
  );
}
