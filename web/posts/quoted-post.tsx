import type { QuotedPost as Quoted } from '#contract/posts.ts';
import styles from './quoted-post.module.css';

/** The answered post, shortened, leading to it in full. */
export function QuotedPost({ post }: { post: Quoted | null }) {
  if (post === null) return <p className={styles.gone}>Запись удалена</p>;
  return (
    <a href={`/posts/${post.id}`} className={styles.quote}>
      <bdi className={styles.author}>{post.owner.username}</bdi>
      <span className={styles.text} dir="auto">
        {post.text}
      </span>
    </a>
  );
}
