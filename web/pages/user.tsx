import { getUser, type PublicUser } from '#contract/account.ts';
import { addresses, type Address } from '#contract/addresses.ts';
import { sameUsername, shownName } from '#contract/username.ts';
import type { Page } from '../router/page.ts';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import { MuteButton } from '../features/mutes/mute-button.tsx';
import { useMuted } from '../features/mutes/mutes.ts';
import { PostList } from '../features/posts/list/post-list.tsx';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { useSessionState } from '../features/session/session.ts';
import { useNow } from '../lib/clock.tsx';
import { Face } from '../ui/face.tsx';
import tabStyles from '../ui/tabs.module.css';
import { notFound } from './not-found.tsx';
import { PersonTabs } from './person-tabs.tsx';
import { PostSkeletons } from './post-skeletons.tsx';
import { userFacts } from './user-facts.ts';
import styles from './user.module.css';

interface Tab {
  address: Address<{ username: string }>;
  name: 'Записи' | 'Ответы';
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
    <div className={tabStyles.tabs} />
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
      const name = shown ? shownName(shown.user) : params.username;
      return { heading: name, title: kind === 'user' ? name : `${name}: ответы` };
    },
    skeleton,
    Component: (shown) => <UserAndPosts {...shown} tab={tab} />,
  };
}

function UserAndPosts({
  user: { id, created_at: createdAt, about, has_never_come: isAway, ...names },
  list,
  tab,
}: ShownUser & { tab: Tab }) {
  const { username } = names;
  const { total } = usePostList(list);
  const now = useNow();
  const session = useSessionState();
  const isMuted = useMuted(id);
  const isOwn = session.is === 'authorized' && session.user.id === id;
  const facts = userFacts(total, tab.nouns, createdAt, now);
  return (
    <>
      <div className={styles.about}>
        <Face id={id} />
        <bdi className={styles.username}>@{username}</bdi>
        {isOwn && (
          <a href={addresses.settingsProfile.href()} className={styles.change}>
            Изменить
          </a>
        )}
        {session.is !== 'authorizing' && !isOwn && <MuteButton authorId={id} />}
        <p className={styles.facts}>
          {isMuted ? 'Вы не показываете этого автора' : facts}
          {isAway && ' · не заходил(а)'}
        </p>
        {about !== null && (
          <p className={styles.line} dir="auto">
            {about}
          </p>
        )}
      </div>
      <PersonTabs username={username} isOwn={isOwn} current={tab.name} />
      <PostList list={list} label={`${tab.name} ${shownName(names)}`} />
    </>
  );
}
