import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { useNow } from '../../../lib/clock.tsx';
import { useMounted } from '../../../lib/observable.ts';
import { exactTime, machineTime, relativeTime } from '../../../lib/time.ts';
import styles from './post-time.module.css';

interface PostTimeProps {
  post: Post;
  /** Shows the full date too. */
  exact?: boolean;
}

/** A component of its own, so that a tick of the clock renders nothing else. */
export function PostTime({ post, exact = false }: PostTimeProps) {
  const now = useNow();
  // The server does not know the reader's time zone.
  const date = useMounted() ? exactTime(post.created_at) : undefined;
  return (
    <a href={addresses.post.href(post)} className={styles.link} data-permalink>
      <time dateTime={machineTime(post.created_at)} title={date}>
        {relativeTime(post.created_at, now)}
      </time>
      {exact && date !== undefined && ` · ${date}`}
      {post.is_modified && ' · изменено'}
    </a>
  );
}
