import { Fragment, memo, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/text-parts.ts';
import { limits } from '#contract/limits.ts';
import { type NotificationKind, notificationWords, wordInQuotes } from '#contract/notification-words.ts';
import type { Post } from '#contract/posts.ts';
import { nameInLine } from '#contract/username.ts';
import { plural } from '../../lib/counts.ts';
import { useHides } from '../mutes/mutes.ts';
import { PostCard } from '../posts/card/post-card.tsx';
import { QuotedPost } from '../posts/card/quoted-post.tsx';
import type { PostListItemProps } from '../posts/list/post-list-item.tsx';
import type { Notice } from '../posts/store/post-store.ts';
import { usePost, usePostStore } from '../posts/store/use-posts.ts';
import { wasChangedAfter } from '../posts/card/post-time.tsx';
import { useSessionState } from '../session/session.ts';
import styles from './group-head.module.css';
import notificationCardStyles from './notification-card.module.css';
import { useNewIds } from './read-notifications.ts';
import { useGroupMembers, useRoot } from './use-groups.ts';

interface NotificationCardProps {
  id: string;
  position: number;
  setSize: number;
  isNew: boolean;
  /** Whether the card says which post it replies to. See `GroupMember`. */
  namesReplied: boolean;
}

/** A post in a group: who wrote what, and why the person is notified. */
const NotificationCard = memo(function NotificationCard({ id, namesReplied, isNew, ...shown }: NotificationCardProps) {
  const post = usePost(id);
  return post && <Card post={post} namesReplied={namesReplied} isNew={isNew} {...shown} />;
});

function Card({ post, namesReplied, isNew, ...shown }: Omit<NotificationCardProps, 'id'> & { post: Post }) {
  const { parent_post_id: rootId, replied_post_id: repliedId, replied_post: replied } = post.actions;
  const root = useRoot(rootId ?? '');
  const notice = usePostStore().noticeOf(post.id);
  // The head of the group has the words that are the same for the whole group.
  const kind = rootId === null ? undefined : ownReason(notice);
  const toRoot = repliedId === rootId;
  const isStale = toRoot && wasChangedAfter(root, post);
  const notes = [kind, toRoot && namesReplied && 'на саму запись', isStale && 'запись изменена после ответа'];
  const words = notes.filter((note) => typeof note === 'string').join(' · ');
  const branch = {
    depth: 0,
    opensInside: true,
    label: kind,
    replied: (
      <>
        {words && <p className={notificationCardStyles.notes}>{words}</p>}
        {namesReplied && !toRoot && <QuotedPost post={replied} repliedAt={post.created_at} />}
      </>
    ),
    fold: null,
  };
  const newMark = isNew && (rootId === null ? 'Новая запись' : true);
  return <PostCard post={post} kind="thread" isNew={newMark} branch={branch} {...shown} />;
}

/** Why the person is notified of this reply, if that is not the same for its whole discussion. */
function ownReason(notice: Notice | undefined): string | undefined {
  if (notice?.kind === 'mention') return notificationWords.mention.verb;
  return notice?.word ? wordInQuotes(notice.word) : undefined;
}

interface GroupHeadProps {
  /** The id of the root post. */
  root: string;
  ids: readonly string[];
  /** The number of new notifications in `ids`. */
  fresh: number;
}

/** The head above the replies of a discussion. It is an article, because an ARIA feed contains nothing else. */
function GroupHead({ root: rootId, ids, fresh }: GroupHeadProps) {
  const id = useId();
  const root = useRoot(rootId);
  const { noticeOf } = usePostStore();
  const hidden = useHides()(root);
  const session = useSessionState();
  const isOwn = session.is === 'authorized' && session.user.id === root?.owner.id;
  const why = groupText(
    ids.map((reply) => noticeOf(reply)?.kind),
    isOwn,
  );
  const text = root && (hidden?.join('') ?? `«${excerpt(root.text, limits.titleLength)}»`);
  const words = (
    // A new count makes new elements: an existing element that moves for a longer number would count as a layout shift.
    <Fragment key={`${ids.length} ${fresh}`}>
      <span className={styles.text}>
        <span className={styles.count}>{repliesText(ids.length, fresh)}</span>
        {why && ` · ${why}`}
      </span>{' '}
      <bdi className={styles.text}>{text ?? 'Запись удалена'}</bdi>
    </Fragment>
  );
  return (
    <article className={styles.head} aria-labelledby={id}>
      <h2 id={id} className={styles.line}>
        {root ? <a href={addresses.post.href(root)}>{words}</a> : <span>{words}</span>}
      </h2>
    </article>
  );
}

/** The head above a root post. */
function RootHead({ post, isNew }: { post: string; isNew: boolean }) {
  const id = useId();
  const owner = usePost(post)?.owner;
  const { kind = 'author', word } = usePostStore().noticeOf(post) ?? {};
  const [read, fresh, before] = notificationWords[kind].head;
  return (
    <article className={styles.head} aria-labelledby={id}>
      <h2 id={id} className={styles.line}>
        <a href={addresses.post.href({ id: post })}>
          <span className={styles.text}>
            <span className={styles.count}>{isNew ? fresh : read}</span>
          </span>{' '}
          <span className={styles.text}>
            {before}
            <bdi>{owner && nameInLine(owner)}</bdi>
            {word && ` · ${wordInQuotes(word)}`}
          </span>
        </a>
      </h2>
    </article>
  );
}

/** '3 новых ответа', or '5 ответов' if none of them is new. */
const repliesText = (count: number, fresh: number): string =>
  fresh > 0
    ? plural(fresh, ['новый ответ', 'новых ответа', 'новых ответов'])
    : plural(count, ['ответ', 'ответа', 'ответов']);

/** Why the person is notified of the replies of a discussion. A reply to the person needs no words: its card shows the replied post. */
function groupText(kinds: ReadonlyArray<NotificationKind | undefined>, isOwnDiscussion: boolean): string | undefined {
  if (isOwnDiscussion) return 'в вашем обсуждении';
  return kinds.includes('followed') ? 'вы следите за обсуждением' : undefined;
}

/** A notification in the list, the first of a group with its head. */
export function NotificationItem({ id, position, setSize }: PostListItemProps) {
  const newIds = useNewIds();
  const { members, hidden } = useGroupMembers();
  const { post } = usePostStore();
  const isNew = newIds.has(id);
  const member = members.get(id);
  if (!member) return null;
  const { ids, isFirst, namesReplied } = member;
  const root = post(id)?.actions.parent_post_id ?? null;
  const fresh = ids.filter((other) => newIds.has(other)).length;
  return (
    <>
      {isFirst && root === null && <RootHead post={id} isNew={isNew} />}
      {isFirst && root !== null && <GroupHead root={root} ids={ids} fresh={fresh} />}
      <NotificationCard
        id={id}
        position={position}
        setSize={setSize - hidden}
        isNew={isNew}
        namesReplied={namesReplied}
      />
    </>
  );
}
