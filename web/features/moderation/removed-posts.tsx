import type { HiddenPost } from '#contract/posts.ts';
import { exactTime, machineTime } from '../../lib/time.ts';
import { PostText } from '../posts/card/post-text.tsx';
import styles from './removed-posts.module.css';

/** The posts that a moderator has removed, shown to their author with the reasons. */
export function RemovedPosts({ posts }: { posts: readonly HiddenPost[] }) {
  return (
    <section aria-label="Скрытое" className={styles.removed}>
      <p className={styles.about}>Скрыто теми, кто ведёт стену. Кроме вас этого никто не видит.</p>
      <ul className={styles.list}>
        {posts.map(({ id, text, hidden_at, reason }) => (
          <li key={id} className={styles.post}>
            <PostText id={`hidden-${id}`} text={text} />
            <p className={styles.reason} dir="auto">
              Причина: {reason}
            </p>
            <time dateTime={machineTime(hidden_at)} className={styles.time}>
              Скрыто {exactTime(hidden_at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
