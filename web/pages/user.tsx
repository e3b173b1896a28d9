import { getUser, type PublicUser } from '#contract/account.ts';
import { addresses, type Address } from '#contract/addresses.ts';
import { sameUsername } from '#contract/username.ts';
import type { Page } from '../router/page.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import { MuteButton } from '../features/mutes/mute-button.tsx';
import { useMuted } from '../features/mutes/mutes.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { useSessionState } from '../features/session/session.ts';
import { useNow } from '../lib/clock.tsx';
import { notFound } from './not-found.tsx';
import { PostSkeletons } from './post-skeletons.tsx';
import { userFacts } from './user-facts.ts';
import styles from './user.module.css';

interface Tab {
  address: Address<{ username: string }>;
  name: string;
  kind: 'user' | 'user-replies';
  nouns: Parameters<typeof userFacts>[1];
}

interface ShownUser {
  user: PublicUser;
  list: PostListId;
}

const skeleton = (
  <PostSkeletons>
    <div className={styles.about} />
    <div className={styles.tabs} />
  </PostSkeletons>
);

const tabs: [Tab, Tab] = [
  { address: addresses.user, name: 'Записи', kind: 'user', nouns: ['запись', 'записи', 'записей'] },
  { address: addresses.userReplies, name: 'Ответы', kind: 'user-replies', nouns: ['ответ', 'ответа', 'ответов'] },
];

/** A person and their posts. */
export const user = userPage(tabs[0]);

/** A person and their replies. */
export const userReplies = userPage(tabs[1]);

function userPage(tab: Tab): Page<{ username: string }, ShownUser> {
  const { address, kind } = tab;
  return {
    address,
    access: 'public',
    async load({ username }, request) {
      const known = request.authorId(username);
      const ofKnown = known === undefined ? undefined : loadList({ kind, userId: known }, request);
      // The person may be missing meanwhile.
      ofKnown?.catch(() => {});
      const found = await request.call(getUser, { params: { username }, signal: request.signal });
      // The person has another username by now. The server redirects; in the browser the address stays.
      if (import.meta.env.SSR && !sameUsername(found.username, username)) {
        const query = request.cursor === null ? undefined : { cursor: request.cursor };
        return { movedTo: address.href({ username: found.username }, query) };
      }
      // The name may belong to somebody else by now.
      const list = ofKnown && found.id === known ? ofKnown : loadList({ kind, userId: found.id }, request);
      return { user: found, list: await list };
    },
    missing: notFound,
    describe(params, shown) {
      const { username } = shown?.user ?? params;
      return { heading: username, title: kind === 'user' ? username : `${username}: ответы` };
    },
    skeleton,
    Component: (shown) => <UserAndPosts {...shown} tab={tab} />,
  };
}

function UserAndPosts({ user: { id, username, created_at: createdAt }, list, tab }: ShownUser & { tab: Tab }) {
  const { total } = usePostList(list);
  const now = useNow();
  const session = useSessionState();
  const isMuted = useMuted(id);
  const isOwn = session.is === 'authorized' && session.user.id === id;
  return (
    <>
      <div className={styles.about}>
        <p>{isMuted ? 'Вы скрыли этого автора' : userFacts(total, tab.nouns, createdAt, now)}</p>
        {session.is !== 'authorizing' && !isOwn && <MuteButton authorId={id} />}
      </div>
      <nav className={styles.tabs} aria-label="Записи и ответы">
        {tabs.map(({ address, name }) => (
          <a key={name} href={address.href({ username })} aria-current={name === tab.name ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <PostList list={list} label={`${tab.name} ${username}`} />
    </>
  );
}
