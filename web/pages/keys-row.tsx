import { pressShortcut } from '../shortcuts/press-shortcut.ts';
import styles from './settings-page.module.css';

/** For those who have a keyboard. */
export function KeysRow() {
  return (
    <button type="button" className={styles.row} data-for="keyboard" onClick={() => pressShortcut('?')}>
      <span className={styles.name}>Клавиши</span>
      <span className={styles.value}>Что можно делать без мыши</span>
    </button>
  );
}
