import type { MouseEvent } from 'react';
import { addresses, inDiscussion } from '#contract/addresses.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { useNow } from '../../../lib/clock.tsx';
import { takesClick } from '../../../lib/watch.ts';
import { useMounted } from '../../../lib/observable.ts';
import { exactTime, machineTime, relativeTime } from '../../../lib/time.ts';
import styles from './post-time.module.css';

/** Whether the replied post was edited after the reply was written. */
export const wasChangedAfter = (
  replied: Pick<QuotedPost, 'modified_at'> | undefined,
  reply: Pick<QuotedPost, 'created_at'>,
): boolean => (replied?.modified_at ?? 0) > reply.created_at;

interface PostTimeProps {
  post: Post;
  /** Shows the full date as well, and whether the post was edited. */
  exact?: boolean;
  /** A click leads to the post in its discussion. Without scripts and in a new tab the page of the post opens. */
  opensInside?: boolean | undefined;
}

/** A component of its own, so that a tick of the clock renders nothing else. */
export function PostTime({ post, exact = false, opensInside = false }: PostTimeProps) {
  const now = useNow();
  // The server does not know the reader's time zone.
  const date = useMounted() ? exactTime(post.created_at) : undefined;
  const { parent_post_id: rootId } = post.actions;
  const openInside = (event: MouseEvent) => {
    if (rootId !== null && takesClick(event)) location.assign(inDiscussion(post.id, rootId));
  };
  return (
    <a
      href={addresses.post.href(post)}
      className={styles.link}
      data-permalink
      data-exact={exact || undefined}
      onClick={opensInside ? openInside : undefined}
    >
      <time dateTime={machineTime(post.created_at)} title={date}>
        {relativeTime(post.created_at, now)}
      </time>
      {exact && date !== undefined && ` · ${date}`}
      {exact && post.is_modified && ' · изменено'}
    </a>
  );
}
