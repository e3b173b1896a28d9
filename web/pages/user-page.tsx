import type { PublicUser } from '#contract/account.ts';
import { PostList } from '../posts/post-list.tsx';
import type { PostListId } from '../posts/post-store.ts';
import styles from './user-page.module.css';
import { userSummary } from './user-summary.ts';

interface UserPageProps {
  user: PublicUser;
  list: PostListId;
}

export function UserPage({ user, list }: UserPageProps) {
  return (
    <>
      <p className={styles.about}>{userSummary(user)}</p>
      <PostList list={list} label={`Записи ${user.username}`} />
    </>
  );
}
