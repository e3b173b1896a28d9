import styles from './replies-heading.module.css';

export function RepliesHeading() {
  return <h2 className={styles.heading}>Ответы</h2>;
}
