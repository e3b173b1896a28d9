import type { PublicUser } from '#contract/account.ts';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';
import { usePostList } from '../posts/use-post-list.ts';
import styles from './user-page.module.css';
import { userSummary } from './user-summary.ts';

interface UserPageProps {
  user: PublicUser;
  list: PostListId;
}

export function UserPage({ user, list }: UserPageProps) {
  const { total } = usePostList(list);
  return (
    <>
      <p className={styles.about}>{userSummary(total, user.created_at)}</p>
      <PostList list={list} label={`Записи ${user.username}`} />
    </>
  );
}
