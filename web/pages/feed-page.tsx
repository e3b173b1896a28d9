import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';

export function FeedPage({ list, onSignIn }: { list: PostListId; onSignIn: () => void }) {
  return <PostList list={list} label="Записи" onSignIn={onSignIn} />;
}
