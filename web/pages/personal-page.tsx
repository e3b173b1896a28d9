import type { HiddenPost } from '#contract/posts.ts';
import { HiddenArea } from '../hidden/hidden-area.tsx';
import { feedViews } from '../layout/feed-views.ts';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';
import type { OwnViewRoute } from '../router/routes.ts';

interface PersonalPageProps {
  of: OwnViewRoute;
  list: PostListId;
  hidden: readonly HiddenPost[];
}

export function PersonalPage({ of, list, hidden }: PersonalPageProps) {
  return (
    <>
      <HiddenArea posts={hidden} />
      <PostList list={list} label={feedViews[of.name].name} />
    </>
  );
}
