import { limits } from '#contract/limits.ts';
import { type Toast, toasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

interface UndoToastButtonProps {
  onPress: () => void;
  children: string;
}

/** The button of a toast that takes back what the toast is about. */
export function UndoToastButton({ onPress, children }: UndoToastButtonProps) {
  const press = () => {
    // A second click finds no button.
    toasts.close();
    onPress();
  };
  return (
    <button type="button" className={styles.link} aria-keyshortcuts="Z" onClick={press}>
      {children}
    </button>
  );
}

interface OfferedUndo extends Pick<Toast, 'text' | 'topic'> {
  /** The words on the button. */
  undo: string;
  onPress: () => void;
}

/** Shows a toast with such a button, for long enough that people can reach it. */
export function offerUndo({ undo, onPress, ...toast }: OfferedUndo): void {
  const Button = () => <UndoToastButton onPress={onPress}>{undo}</UndoToastButton>;
  toasts.add({ ...toast, Button, leftMs: 2 * limits.toastMs });
}
