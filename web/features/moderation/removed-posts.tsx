import type { RemovedPost } from '#contract/posts.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { ContactLine } from '../session/contact-line.tsx';
import { PostText } from '../posts/card/post-text.tsx';
import styles from './removed-posts.module.css';

/** The posts that a moderator has removed, shown to their author with the reasons. */
export function RemovedPosts({ posts }: { posts: readonly RemovedPost[] }) {
  return (
    <section aria-label="Убранное со стены" className={styles.removed}>
      <p className={styles.about}>Убрано со стены теми, кто её ведёт. Кроме вас этого никто не видит.</p>
      <ul className={styles.list}>
        {posts.map(({ id, text, removed_at, reason }) => (
          <li key={id} className={styles.post}>
            <PostText id={`removed-${id}`} text={text} />
            <p className={styles.reason} dir="auto">
              Причина: {reason}
            </p>
            <p className={styles.time}>
              Убрано <LocalTime at={removed_at} />
            </p>
          </li>
        ))}
      </ul>
      <ContactLine />
    </section>
  );
}
