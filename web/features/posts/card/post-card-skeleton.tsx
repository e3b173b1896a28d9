import type { ReactNode } from 'react';
import skeleton from '../../../ui/skeleton.module.css';
import hidden from '../../../ui/visually-hidden.module.css';
import styles from './post-card-skeleton.module.css';

/** The skeleton of a list of posts. The children are the skeleton of the part above the list. */
export function PostSkeletons({ children }: { children?: ReactNode }) {
  return (
    <div aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      {children}
      {Array.from({ length: 8 }, (_, index) => (
        <PostCardSkeleton key={index} />
      ))}
    </div>
  );
}

export function PostCardSkeleton() {
  return (
    <div className={`${skeleton.skeleton} ${styles.card}`} aria-hidden="true">
      <span className={styles.face} />
      <span className={styles.name} />
      <span className={styles.line} />
      <span className={styles.line} />
      <span className={styles.shortLine} />
      <span className={styles.actions} />
    </div>
  );
}
