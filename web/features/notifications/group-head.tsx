import { Fragment, useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import { limits } from '#contract/limits.ts';
import { noBreaks } from '../../lib/no-breaks.ts';
import { useMuted } from '../mutes/mutes.ts';
import { answersText } from './group-words.ts';
import styles from './group-head.module.css';
import { useRoot } from './use-groups.ts';

interface GroupHeadProps {
  /** The id of the root post. */
  root: string;
  /** How many answers there are, and how many of them are new. */
  count: number;
  fresh: number;
}

/** Above the answers of a discussion. An article of its own, because a feed contains nothing else. */
export function GroupHead({ root: rootId, count, fresh }: GroupHeadProps) {
  const id = useId();
  const root = useRoot(rootId);
  const isMuted = useMuted(root?.owner.id);
  const text = root && (isMuted ? 'автор скрыт' : `«${noBreaks(excerpt(root.text, limits.titleLength))}»`);
  const words = (
    // New elements for another count: what moves aside for a longer number would count as a layout shift.
    <Fragment key={`${count} ${fresh}`}>
      <span className={styles.count}>{answersText(count, fresh)}</span>
      <span className={styles.text}>
        {' · '}
        <bdi>{text ?? 'Запись удалена'}</bdi>
      </span>
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
  return (
    <article className={styles.head} aria-labelledby={id}>
      <h2 id={id} className={styles.line}>
        <a href={addresses.post.href({ id: post })}>
          <span className={styles.count}>{isNew ? 'Новое упоминание' : 'Упоминание'}</span>
        </a>
      </h2>
    </article>
  );
}
