import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import type { Post } from '#contract/posts.ts';
import { setLiked } from '../../features/posts/store/own-likes.ts';
import { setAuthorFollowed, setFollowed, setMuted, setSaved } from '../../features/session/own-calls.ts';
import { actsOn, beginsGroup, type PostAct } from '../../features/posts/card/post-acts.ts';
import { PostText } from '../../features/posts/card/post-text.tsx';
import { rootIdOf } from '../../features/posts/store/thread-tree.ts';
import { Form } from '../../forms/form.tsx';
import { act, page, type PageContext, sayingOnly } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { useNow } from '../../lib/clock.tsx';
import { useClientSettings } from '../../lib/client-settings.ts';
import { MenuIcon, type MenuIconName } from '../../ui/menu-icon.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import styles from './actions.module.css';
import { restore } from './restore.ts';

type Context = PageContext<{ id: string }>;
type Choice = Extract<PostAct, { kind: 'choice' }>['choice'];

const orNull = async <T,>(found: Promise<T>): Promise<T | null> => {
  try {
    return await found;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return null;
  }
};

async function chosenFor(call: CallEndpoint, { id, owner }: Post): Promise<Record<Choice, boolean>> {
  const params = { id };
  const [{ following }, { saved }, { users }, author] = await Promise.all([
    call('GET /posts/{id}/follow', { params }),
    call('GET /posts/{id}/bookmark', { params }),
    call('GET /users/current/mutes', {}),
    orNull(call('GET /users/{username}', { params: owner })),
  ]);
  const isMuted = users.some((user) => user.id === owner.id);
  return { follow: following, bookmark: saved, mute: isMuted, author: author?.is_followed === true };
}

/** Makes two acts: one that makes a choice and one that takes it back. */
const choosing = (messages: readonly [string, string], choose: (context: Context, on: boolean) => Promise<unknown>) =>
  [
    act(messages[0], (context: Context) => choose(context, true)),
    act(messages[1], (context: Context) => choose(context, false)),
  ] as const;

const [like, unlike] = choosing(['Отмечено', 'Отметка снята'], ({ call, params }, on) => setLiked(call, params.id, on));
const [follow, unfollow] = choosing(
  ['Вы следите за обсуждением', 'Вы больше не следите за обсуждением'],
  ({ call, params }, on) => setFollowed(call, params.id, on),
);
const [save, unsave] = choosing(['Сохранено', 'Убрано из сохранённого'], ({ call, params }, on) =>
  setSaved(call, params.id, on),
);
const authorOf = async ({ call, params }: Context): Promise<string> =>
  (await call('GET /posts/{id}', { params })).owner.id;
const [mute, unmute] = choosing(['Автор скрыт', 'Автор снова показывается'], async (context, on) =>
  setMuted(context.call, await authorOf(context), on),
);
const [followAuthor, unfollowAuthor] = choosing(
  ['Вы следите за автором', 'Вы больше не следите за автором'],
  async (context, on) => setAuthorFollowed(context.call, await authorOf(context), on),
);

const names: Record<Choice, readonly [to: string, back: string]> = {
  bookmark: ['save', 'unsave'],
  follow: ['follow', 'unfollow'],
  author: ['followAuthor', 'unfollowAuthor'],
  mute: ['mute', 'unmute'],
};

/** The acts on a post: the menu of its card as a page. */
export const actions = page({
  async load({ call, params }: Context) {
    const post = await orNull(call('GET /posts/{id}', { params }));
    if (post) {
      const rootId = rootIdOf(post);
      const root = rootId === post.id ? post : await orNull(call('GET /posts/{id}', { params: { id: rootId } }));
      return { present: { post, isClosed: root?.actions.is_closed === true, chosen: await chosenFor(call, post) } };
    }
    const { deleted, posts } = await call('GET /posts/removed', {});
    const isThis = ({ id }: { id: string }) => id === params.id;
    return { gone: { id: params.id, deleted: deleted.find(isThis), removed: posts.find(isThis) } };
  },
  View({ user, present, gone }) {
    return (
      <div className={styles.page}>
        {present && <Present user={user} {...present} />}
        {gone && <Gone user={user} {...gone} />}
      </div>
    );
  },
  acts: {
    like: sayingOnly([404], like),
    unlike: sayingOnly([404], unlike),
    follow,
    unfollow,
    save,
    unsave,
    mute,
    unmute,
    followAuthor,
    unfollowAuthor,
    restore,
  },
});

interface PresentProps {
  post: Post;
  user: PageContext['user'];
  isClosed: boolean;
  chosen: Record<Choice, boolean>;
}

function Present({ post, user, isClosed, chosen }: PresentProps) {
  const now = useNow();
  const settings = useClientSettings();
  const mayEdit = now < post.created_at + settings.editWindowSeconds;
  const { is_liked: isLiked } = post.actions;
  const it = { post, me: user, mayEdit, isWallClosed: settings.isClosed === true, isClosed };
  const acts = actsOn(it);
  return (
    <>
      <article className={styles.post}>
        <a href={addresses.user.href(post.owner)}>
          <PersonNames {...post.owner} />
        </a>
        <PostText id="post" text={post.text} />
      </article>
      <Form
        act={isLiked ? 'unlike' : 'like'}
        submit={isLiked ? 'Снять отметку «Нравится»' : 'Нравится'}
        variant="quiet"
      />
      <ul className={styles.acts}>
        <Row icon="feed">
          <a href={addresses.post.href(post)}>К записи</a>
        </Row>
        <Row icon="reply">
          <a href={addresses.postReply.href(post)}>Ответить</a>
        </Row>
        {acts.map((each, index) => {
          const { icon, kind } = each;
          const look = { icon, isFirst: beginsGroup(acts, index) };
          if (kind === 'copy' || kind === 'share') return null;
          if (kind === 'page') {
            return (
              <Row key={each.words} {...look} destroys={each.destroys}>
                <a href={each.href(it)}>{each.words}</a>
              </Row>
            );
          }
          const place = chosen[each.choice] ? 1 : 0;
          return (
            <Row key={each.choice} {...look}>
              <Form act={names[each.choice][place]} submit={each.words[place]} variant="plain" />
            </Row>
          );
        })}
      </ul>
    </>
  );
}

interface RowProps {
  icon: MenuIconName;
  isFirst?: boolean;
  destroys?: boolean | undefined;
  children: ReactNode;
}

const Row = ({ icon, isFirst, destroys, children }: RowProps) => (
  <li data-first={isFirst || undefined} data-destroys={destroys || undefined}>
    <MenuIcon name={icon} />
    {children}
  </li>
);

interface GoneProps {
  id: string;
  user: PageContext['user'];
  deleted: { text: string; restorable_until: number } | undefined;
  removed: { reason: string } | undefined;
}

/** Shown for a post that is not on the wall. Its author may restore it for some minutes; a moderator may restore a removed one. */
function Gone({ id, user, deleted, removed }: GoneProps) {
  const now = useNow();
  return (
    <>
      {deleted && now <= deleted.restorable_until ? (
        <>
          <PostText id="post" text={deleted.text} />
          <Form act="restore" id={id} submit="Вернуть" />
        </>
      ) : (
        <p>
          {removed
            ? `Запись убрана со стены теми, кто её ведёт. Причина: ${removed.reason}`
            : 'Запись не существует или была удалена'}
        </p>
      )}
      {user.role !== undefined && (
        <a href={addresses.keeperAct.href({ name: 'restore' }, { of: id })}>Вернуть на стену</a>
      )}
    </>
  );
}
