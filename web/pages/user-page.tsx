import type { PublicUser } from '#contract/account.ts';
import { useSessionState } from '../auth/session-context.ts';
import { MuteButton } from '../mutes/mute-button.tsx';
import { useMuted } from '../mutes/mutes-context.ts';
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
  const session = useSessionState();
  const isMuted = useMuted(user.id);
  const isOwn = session.is === 'authorized' && session.user.id === user.id;
  return (
    <>
      <div className={styles.about}>
        <p>{isMuted ? 'Вы скрыли этого автора' : userSummary(total, user.created_at)}</p>
        {session.is !== 'authorizing' && !isOwn && <MuteButton authorId={user.id} />}
      </div>
      <PostList list={list} label={`Записи ${user.username}`} />
    </>
  );
}
