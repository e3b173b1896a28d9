import styles from './quoted-post.module.css';
import { isNotFound } from './post-gone.ts';
import { useFetchedPost } from './use-fetched-post.ts';

/** What a reply being written answers. Unlike in a card it leads nowhere. */
export function AnsweredQuote({ id }: { id: string }) {
  const { post, failure } = useFetchedPost(id);
  if (!post) return isNotFound(failure) && <p className={styles.gone}>Запись удалена</p>;
  return (
    <blockquote className={styles.plain}>
      <bdi className={styles.author}>{post.owner.username}</bdi>
      <span className={styles.text} dir="auto">
        {post.text}
      </span>
    </blockquote>
  );
}
