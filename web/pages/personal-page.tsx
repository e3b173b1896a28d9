import { feedViews } from '../layout/feed-views.ts';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';
import type { OwnViewRoute } from '../router/routes.ts';

interface PersonalPageProps {
  of: OwnViewRoute;
  list: PostListId;
}

export function PersonalPage({ of, list }: PersonalPageProps) {
  return <PostList list={list} label={feedViews[of.name].name} />;
}
