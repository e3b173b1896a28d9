import { addresses, type Address } from '#contract/addresses.ts';
import type { RemovedPost } from '#contract/posts.ts';
import { feedViews } from '../app/layout/feed-views.ts';
import { loadList, type Page } from '../app/router/page.ts';
import { fetchRemoved, isReply, RemovedArea } from '../features/moderation/removed-area.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListSource } from '../features/posts/store/post-list-state.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';

interface OwnList {
  address: Address;
  name: string;
  source(readerId: string): PostListSource;
  /** Whether a removed post of the reader belongs above the list. */
  hasRemoved?(post: RemovedPost): boolean;
}

interface ShownList {
  list: PostListId;
  removed: readonly RemovedPost[];
}

export const liked = ownList({
  address: addresses.liked,
  name: feedViews.liked.name,
  source: () => ({ kind: 'liked' }),
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

function ownList({ address, name, source, hasRemoved }: OwnList): Page<object, ShownList> {
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
        <RemovedArea posts={removed} />
        <PostList list={list} label={name} />
      </>
    ),
  };
}
