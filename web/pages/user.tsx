import type { PublicUser } from '#contract/account.ts';
import { type Address, addresses } from '#contract/addresses.ts';
import { bothNames, sameUsername, shownName } from '#contract/username.ts';
import { isReply } from '../features/moderation/removed-area.tsx';
import { useMuted } from '../features/mutes/mutes.ts';
import { MenuButton } from '../features/posts/card/post-menu-button.tsx';
import { PostSkeletons } from '../features/posts/card/post-card-skeleton.tsx';
import { PostList } from '../features/posts/list/post-list.tsx';
import { loadList } from '../features/posts/store/fetch-post-page.ts';
import type { PostListId } from '../features/posts/store/post-store.ts';
import { usePostList } from '../features/posts/store/use-posts.ts';
import { useSessionState } from '../features/session/session.ts';
import { usePerform } from '../features/session/actions.ts';
import { useNow } from '../lib/clock.tsx';
import { namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import type { Page } from '../router/page.ts';
import { Button } from '../ui/button.tsx';
import { LinkForm } from '../ui/link-form.tsx';
import { Face } from '../ui/face.tsx';
import tabStyles from '../ui/tabs.module.css';
import { notFound } from './not-found.tsx';
import { OwnPending } from './waiting-parts.tsx';
import { PersonTabs } from './person-tabs.tsx';
import { userFacts } from '../lib/counts.ts';
import styles from './user.module.css';

const personActs = namedOnDemand(() => import('../features/posts/card/person-acts.tsx'), 'PersonActs');

const menuName = 'Действия с автором';

/** The acts on the author, for everyone else. Before the scripts run the buttons open a page. */
function Acts({ author }: { author: Pick<PublicUser, 'id' | 'username' | 'is_followed'> }) {
  const perform = usePerform();
  const { is } = useSessionState();
  const { thing: PersonActs } = useOnDemand(personActs, true);
  const href = addresses.userActions.href(author);
  const open = () => perform({ kind: 'layer', href });
  if (PersonActs && is !== 'authorizing') {
    return <PersonActs author={author} isFollowed={author.is_followed} menuName={menuName} />;
  }
  return (
    <LinkForm to={href}>
      <Button type="submit" data-pending onClick={open}>
        Следить
      </Button>
      <MenuButton label={menuName} menuId="" open={false} onOpen={open} />
    </LinkForm>
  );
}

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
      // If the call below fails first, nobody awaits this promise, and its rejection must not be reported as unhandled.
      ofKnown?.catch(() => {});
      const found = await request.call('GET /users/{username}', { params: { username }, signal: request.signal });
      // The person has another username by now. The server redirects; in the browser the address stays.
      if (import.meta.env.SSR && !sameUsername(found.username, username)) {
        const query = request.cursor === null ? undefined : { cursor: request.cursor };
        return { movedTo: address.href({ username: found.username }, query) };
      }
      // Somebody else may have the username by now.
      const list = ofKnown && found.id === known ? ofKnown : loadList({ kind, userId: found.id }, request);
      return { user: found, list: await list };
    },
    missing: notFound,
    describe(params, shown) {
      const name = shown ? shownName(shown.user) : params.username;
      const title = shown ? bothNames(shown.user) : name;
      return { heading: name, title: kind === 'user' ? title : `${title}: ответы` };
    },
    skeleton,
    Component: (shown) => <UserAndPosts {...shown} tab={tab} />,
  };
}

function UserAndPosts({ user: person, list, tab }: ShownUser & { tab: Tab }) {
  const { id, created_at: createdAt, about, has_never_come: isAway, ...names } = person;
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
        <Face of={{ id, ...names }} />
        <bdi className={styles.username}>@{username}</bdi>
        <div className={styles.acts}>
          {isOwn ? <a href={addresses.settingsProfile.href()}>Изменить</a> : <Acts author={person} />}
        </div>
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
      {isOwn && <OwnPending which={(post) => isReply(post) === (tab.kind === 'user-replies')} />}
      <PostList list={list} label={`${tab.name} ${shownName(names)}`} />
    </>
  );
}
