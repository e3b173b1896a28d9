import skeleton from '../../../ui/skeleton.module.css';
import styles from './post-card-skeleton.module.css';

/** The skeleton of a card. */
export function PostCardSkeleton() {
  return (
    <div className={`${skeleton.skeleton} ${styles.card}`} aria-hidden="true">
      <span className={styles.name} />
      <span className={styles.line} />
      <span className={styles.line} />
      <span className={styles.shortLine} />
      <span className={styles.actions} />
    </div>
  );
}
