import { getUser, type PublicUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { sameUsername } from '#contract/username.ts';
import { loadList, type Page } from '../app/router/page.ts';
import { MuteButton } from '../features/mutes/mute-button.tsx';
import { useMuted } from '../features/mutes/mutes.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { useSessionState } from '../features/session/session.ts';
import { useNow } from '../lib/clock.tsx';
import { notFound } from './not-found.tsx';
import { userFacts } from './user-facts.ts';
import styles from './user.module.css';

interface ShownUser {
  user: PublicUser;
  list: PostListId;
}

/** A person and their posts. */
export const user: Page<{ username: string }, ShownUser> = {
  address: addresses.user,
  access: 'public',
  async load({ username }, request) {
    const found = await request.call(getUser, { params: { username }, signal: request.signal });
    // The person has another username by now. The server redirects; in the browser the address stays.
    if (import.meta.env.SSR && !sameUsername(found.username, username)) {
      const query = request.cursor === null ? undefined : { cursor: request.cursor };
      return { movedTo: addresses.user.href({ username: found.username }, query) };
    }
    return { user: found, list: await loadList({ kind: 'user', userId: found.id }, request) };
  },
  missing: notFound,
  describe: (params, shown) => ({ heading: (shown?.user ?? params).username }),
  Component: UserAndPosts,
};

function UserAndPosts({ user: { id, username, created_at: createdAt }, list }: ShownUser) {
  const { total } = usePostList(list);
  const now = useNow();
  const session = useSessionState();
  const isMuted = useMuted(id);
  const isOwn = session.is === 'authorized' && session.user.id === id;
  return (
    <>
      <div className={styles.about}>
        <p>{isMuted ? 'Вы скрыли этого автора' : userFacts(total, createdAt, now)}</p>
        {session.is !== 'authorizing' && !isOwn && <MuteButton authorId={id} />}
      </div>
      <PostList list={list} label={`Записи ${username}`} />
    </>
  );
}
