import { Fragment, useId } from 'react';
import { shownName } from '#contract/username.ts';
import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import { noBreaks } from '../../lib/no-breaks.ts';
import { useMuted } from '../mutes/mutes.ts';
import { usePost } from '../posts/store/use-posts.ts';
import { useSessionState } from '../session/session.ts';
import styles from './group-head.module.css';
import { kindOf } from '../posts/store/fetch-notifications.ts';
import { useRoot } from './use-groups.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import { plural } from '../../lib/plural.ts';

interface GroupHeadProps {
  /** The id of the root post. */
  root: string;
  ids: readonly string[];
  /** How many of them are new. */
  fresh: number;
}

/** Above the replies of a discussion. An article of its own, because a feed contains nothing else. */
export function GroupHead({ root: rootId, ids, fresh }: GroupHeadProps) {
  const id = useId();
  const root = useRoot(rootId);
  const isMuted = useMuted(root?.owner.id);
  const session = useSessionState();
  const isOwn = session.is === 'authorized' && session.user.id === root?.owner.id;
  const why = groupText(ids.map(kindOf), isOwn);
  const text = root && (isMuted ? 'автор скрыт' : `«${noBreaks(excerpt(root.text, limits.titleLength))}»`);
  const words = (
    // New elements for another count: what moves aside for a longer number would count as a layout shift.
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

/** Above a root post that mentions the person. */
export function MentionHead({ post, isNew }: { post: string; isNew: boolean }) {
  const id = useId();
  const owner = usePost(post)?.owner;
  return (
    <article className={styles.head} aria-labelledby={id}>
      <h2 id={id} className={styles.line}>
        <a href={addresses.post.href({ id: post })}>
          <span className={styles.text}>
            <span className={styles.count}>{isNew ? 'Новое упоминание' : 'Упоминание'}</span>
          </span>{' '}
          <span className={styles.text}>
            в записи <bdi>{owner && shownName(owner)}</bdi>
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

/** Why the person is notified of the replies of a discussion. A reply to them needs no words: it is beside the post it replies to. */
function groupText(kinds: readonly NotificationKind[], isOwnDiscussion: boolean): string | undefined {
  if (isOwnDiscussion) return 'в вашем обсуждении';
  return kinds.includes('followed') ? 'вы следите за обсуждением' : undefined;
}
