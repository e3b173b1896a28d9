import type { ComponentProps } from 'react';
import { addresses, type Address } from '#contract/addresses.ts';
import type { RemovedPost } from '#contract/posts.ts';
import { feedViews } from './feed-views.ts';
import type { Page } from '../router/page.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import { namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import { fetchRemoved, isReply, RemovedArea } from '../features/moderation/removed-area.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListSource } from '../features/posts/store/post-list-state.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { useSessionState } from '../features/session/session.ts';
import { PersonTabs } from './person-tabs.tsx';

/** Has code that writing needs as well, which is not part of the first load. */
const deletedPosts = namedOnDemand(() => import('../features/posts/compose/deleted-posts.tsx'), 'DeletedPosts');

interface OwnList {
  address: Address;
  name: string;
  /** If it is one of the lists on one's own page. */
  tab?: 'Понравившиеся' | 'Сохранённое';
  source(readerId: string): PostListSource;
  /** Whether a removed or deleted post of the reader belongs above the list. */
  hasRemoved?: (post: Pick<RemovedPost, 'replied_post_id'>) => boolean;
}

interface ShownList {
  list: PostListId;
  removed: readonly RemovedPost[];
}

export const liked = ownList({
  address: addresses.liked,
  name: feedViews.liked.name,
  source: () => ({ kind: 'liked' }),
  tab: 'Понравившиеся',
});

export const ownPosts = ownList({
  address: addresses.ownPosts,
  name: feedViews.ownPosts.name,
  source: (userId) => ({ kind: 'user', userId }),
  hasRemoved: (post) => !isReply(post),
});

export const ownReplies = ownList({
  address: addresses.ownReplies,
  name: feedViews.ownReplies.name,
  source: () => ({ kind: 'own-replies' }),
  hasRemoved: isReply,
});

export const saved = ownList({
  address: addresses.saved,
  name: 'Сохранённое',
  source: () => ({ kind: 'saved' }),
  tab: 'Сохранённое',
});

function ownList({ address, name, tab, source, hasRemoved }: OwnList): Page<object, ShownList> {
  return {
    address,
    access: 'user',
    async load(_, request) {
      const [list, removed] = await Promise.all([
        loadList(source(request.readerId), request),
        hasRemoved ? fetchRemoved(hasRemoved, request.signal) : [],
      ]);
      return { list, removed };
    },
    describe: () => ({ heading: name }),
    Component: ({ list, removed }) => (
      <>
        {tab && <OwnTabs current={tab} />}
        <RemovedArea posts={removed} />
        {hasRemoved && <DeletedArea which={hasRemoved} />}
        <PostList list={list} label={name} />
      </>
    ),
  };
}

function OwnTabs({ current }: { current: NonNullable<OwnList['tab']> }) {
  const session = useSessionState();
  return session.is === 'authorized' && <PersonTabs username={session.user.username} isOwn current={current} />;
}

function DeletedArea(props: ComponentProps<Awaited<ReturnType<typeof deletedPosts.load>>>) {
  const { thing: DeletedPosts } = useOnDemand(deletedPosts, true);
  return DeletedPosts && <DeletedPosts {...props} />;
}
