import type { Post } from '#contract/posts.ts';
import { PostCard } from '../card/post-card.tsx';
import { setThreadTree } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { openedThread, withBranches, withOwnReply, withoutReply } from '../store/thread-tree.ts';
import { usePostList } from '../store/use-posts.ts';
import { Ancestors } from './ancestors.tsx';
import { Thread } from './thread.tsx';

setThreadTree({ openedThread, withBranches, withOwnReply, withoutReply });

/** A post, the way to it from the root of its discussion, and the replies. */
export function Discussion({ post, list }: { post: Post; list: PostListId }) {
  const { ancestors, skipped } = usePostList(list).thread!;
  return (
    <>
      <Ancestors post={post} ids={ancestors} skipped={skipped} />
      <PostCard post={post} place="page" />
      <Thread list={list} />
    </>
  );
}
