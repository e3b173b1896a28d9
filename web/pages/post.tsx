import { type ReactNode, useEffect, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import type { RemovedPost } from '#contract/posts.ts';
import type { Page } from '../router/page.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import { fetchRemoved, RemovedArea } from '../features/moderation/removed-area.tsx';
import { PostCardSkeleton, PostSkeletons } from '../features/posts/card/post-card-skeleton.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePost } from '../features/posts/store/use-posts.ts';
import { Discussion, DiscussionPreview } from '../features/posts/thread/discussion.tsx';
import { storedOrder } from '../features/posts/thread/thread-order.ts';
import { useSessionState } from '../features/session/session.ts';
import { bothNames } from '#contract/username.ts';
import { Notice } from '../ui/notice.tsx';
import { missingPicture } from './not-found.tsx';

const heading = 'Запись';
const skeleton = (
  <PostSkeletons>
    <PostCardSkeleton />
  </PostSkeletons>
);

const missing: Page<{ id: string }> = {
  address: addresses.post,
  access: 'public',
  describe: () => ({ heading, title: 'Запись не найдена' }),
  skeleton,
  Component: ({ params }) => <MissingPost key={params.id} id={params.id} />,
};

export const post: Page<{ id: string }, { list: PostListId }> = {
  address: addresses.post,
  access: 'public',
  async load({ id }, request) {
    const order = request.cursor === null ? storedOrder() : 'newest';
    const list = await loadList({ kind: 'thread', postId: id, order }, request);
    return { post: list.page.posts.find((found) => found.id === id)!, list };
  },
  missing,
  describe({ id }, shown, store) {
    const found = shown && store.post(id);
    if (!found) return { heading };
    return { heading, title: `${bothNames(found.owner)}: ${excerpt(found.text, limits.titleLength)}` };
  },
  skeleton,
  Preview: PostPreview,
  canPreview: ({ id }, store) => store.post(id) !== undefined,
  Component: PostWithReplies,
};

function PostWithReplies({ params: { id }, list }: { params: { id: string }; list: PostListId }) {
  const found = usePost(id);
  return found ? <Discussion post={found} list={list} /> : <MissingPost id={id} />;
}

/** The post from the store, shown while its discussion is loading. */
function PostPreview({ params: { id }, failure }: { params: { id: string }; failure?: ReactNode }) {
  const found = usePost(id);
  return found ? <DiscussionPreview post={found} failure={failure} /> : (failure ?? skeleton);
}

/** The notice of a missing post. Its author still sees a post that a moderator has removed. */
function MissingPost({ id }: { id: string }) {
  const { is } = useSessionState();
  const [removed, setRemoved] = useState<RemovedPost[]>([]);

  useEffect(() => {
    if (is !== 'authorized') return undefined;
    let isUnmounted = false;
    const look = async () => {
      const found = await fetchRemoved((removedPost) => removedPost.id === id);
      if (!isUnmounted) setRemoved(found);
    };
    void look();
    return () => {
      isUnmounted = true;
    };
  }, [is, id]);

  if (is === 'authorized' && removed.length > 0) return <RemovedArea posts={removed} />;
  return <Notice title="Запись не найдена" text="Запись не существует или была удалена" picture={missingPicture} />;
}
