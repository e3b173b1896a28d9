import styles from './stop-line.module.css';

/** Drawn over the border between two cards: it has no height, so nothing moves when it appears. */
export function StopLine() {
  return (
    <div className={styles.place}>
      <div className={styles.line}>
        <span className={styles.text}>Вы остановились здесь</span>
      </div>
    </div>
  );
}
