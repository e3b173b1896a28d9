import type { RemovedPost } from '#contract/posts.ts';
import { exactTime, machineTime } from '../../lib/time.ts';
import { PostText } from '../posts/card/post-text.tsx';
import styles from './removed-posts.module.css';

/** The posts that a moderator has removed, shown to their author with the reasons. */
export function RemovedPosts({ posts }: { posts: readonly RemovedPost[] }) {
  return (
    <section aria-label="Скрытое" className={styles.removed}>
      <p className={styles.about}>Скрыто теми, кто ведёт стену. Кроме вас этого никто не видит.</p>
      <ul className={styles.list}>
        {posts.map(({ id, text, removed_at, reason }) => (
          <li key={id} className={styles.post}>
            <PostText id={`removed-${id}`} text={text} />
            <p className={styles.reason} dir="auto">
              Причина: {reason}
            </p>
            <time dateTime={machineTime(removed_at)} className={styles.time}>
              Скрыто {exactTime(removed_at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
