import styles from './brick-mark.module.css';

/** Three bricks in running bond: two below, one above their joint. */
export function BrickMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M7.5 5h9a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z M2 13h8.25a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V14a1 1 0 0 1 1-1z M13.75 13H22a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-8.25a1 1 0 0 1-1-1V14a1 1 0 0 1 1-1z" />
    </svg>
  );
}
