import { addresses } from '#contract/addresses.ts';
import { isReply } from '../features/moderation/removed-area.tsx';
import { WriteField } from '../features/posts/card/write-field.tsx';
import { Lifted } from '../features/posts/list/lifted.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import { PinnedPost } from '../features/posts/pinned/pinned-post.tsx';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { writeStored } from '../lib/storage.ts';
import type { Page } from '../router/page.ts';
import { Icon } from '../ui/icon.tsx';
import lists from '../ui/list-page.module.css';
import { feedFrame } from './feed-tabs.tsx';
import styles from './intro.module.css';
import { notFound } from './not-found.tsx';
import { OwnPending, Waiting } from './waiting-parts.tsx';

const key = 'intro-closed';

function closeIntro(): void {
  // The button with the focus is hidden.
  document.querySelector('main')?.focus({ preventScroll: true });
  writeStored('localStorage', key, '1');
  document.documentElement.dataset['introClosed'] = '';
}

/**
 * Runs in <head>. The server's HTML introduces the wall to everyone; a style hides that from readers who have closed it or
 * have ever been signed in.
 */
export const introScript: string = `try{let d=document.documentElement.dataset,s=localStorage,k='${key}';if(d.signedIn||s.getItem(k)){d.introClosed='';s.setItem(k,1)}}catch{}`;

/** Says to first-time visitors what this is, in the operator's own words if there are any. */
function Intro() {
  const { intro, isClosed } = useClientSettings();
  return (
    <p className={styles.intro} data-own={intro && ''}>
      <span>
        {intro ?? `Это лента коротких записей. ${isClosed ? 'Её читают только участники' : 'Читать может каждый'}.`}{' '}
        <a href={addresses.wallText.href({ name: 'about' })}>Подробнее</a>
      </span>
      <button type="button" aria-label="Закрыть" onClick={closeIntro}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** The discussions that replies have lifted, the last one first. */
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

function Feed({ list }: { list: PostListId }) {
  const { pinned } = usePostList(list);
  return (
    <>
      <WriteField href={addresses.newPost.href()}>Что у вас?</WriteField>
      <Intro />
      {pinned && <PinnedPost post={pinned} />}
      <OwnPending which={(post) => !isReply(post)} />
      <PostList list={list} label="Записи" pinnedId={pinned?.id} below={<Lifted />} />
    </>
  );
}
