import type { Post } from '#contract/posts.ts';
import { useMounted, useNow } from '../lib/clock.tsx';
import { exactTime, machineTime, relativeTime } from '../lib/time.ts';
import styles from './post-time.module.css';

interface PostTimeProps {
  post: Post;
  /** The date in full beside it. */
  exact?: boolean;
}

/** Apart from the card, so that the ticking clock touches nothing else. */
export function PostTime({ post, exact = false }: PostTimeProps) {
  const now = useNow();
  // The server does not know the reader's time zone.
  const date = useMounted() ? exactTime(post.created_at) : undefined;
  return (
    <a href={`/posts/${post.id}`} className={styles.link} data-permalink>
      <time dateTime={machineTime(post.created_at)} title={date}>
        {relativeTime(post.created_at, now)}
      </time>
      {exact && date !== undefined && ` · ${date}`}
      {post.is_modified && ' · изменено'}
    </a>
  );
}
