import { Button } from '../../../ui/button.tsx';
import { PostCardSkeleton } from '../card/post-card-skeleton.tsx';
import styles from './post-list.module.css';
import type { PostList, PostListSource } from '../store/post-list-state.ts';

/** Below the last post: a skeleton, an error, a button for more posts, or nothing at the end of the list. */
export function PostListEnd({ list, onMore }: { list: PostList; onMore: () => void }) {
  if (list.loading) {
    return (
      <>
        <PostCardSkeleton />
        <PostCardSkeleton />
        <PostCardSkeleton />
      </>
    );
  }
  if (list.failure !== null) {
    return (
      <div className={styles.end} role="alert">
        <p className={styles.failure}>{list.failure}</p>
        <Button onClick={onMore}>Повторить</Button>
      </div>
    );
  }
  if (list.next === null) return null;
  return (
    <div className={styles.end}>
      <div className={styles.more}>
        <Button onClick={onMore}>Показать ещё</Button>
      </div>
      <noscript>
        {/* React never renders the content of <noscript> in the browser. */}
        {import.meta.env.SSR && (
          <a className={styles.next} href={nextHref(list.source, list.next)} rel="next">
            Дальше
          </a>
        )}
      </noscript>
    </div>
  );
}

function nextHref(source: PostListSource, cursor: string): string {
  const query = 'q' in source ? { q: source.q, cursor } : { cursor };
  return `?${new URLSearchParams(query).toString()}`;
}
