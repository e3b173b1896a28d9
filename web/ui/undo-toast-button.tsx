import { toasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

interface UndoToastButtonProps {
  onPress: () => void;
  children: string;
}

/** The button of a toast that takes back what the toast is about. */
export function UndoToastButton({ onPress, children }: UndoToastButtonProps) {
  const press = () => {
    // The toast closes first, so that a second click finds no button.
    toasts.close();
    onPress();
  };
  return (
    <button type="button" className={styles.link} aria-keyshortcuts="Z" onClick={press}>
      {children}
    </button>
  );
}

interface OfferedUndo {
  text: string;
  topic?: string;
  /** The words on the button. */
  undo: string;
  onPress: () => void;
}

/** Shows a toast with a button that takes back what the toast is about. */
export function showUndoToast({ text, topic, undo, onPress }: OfferedUndo): void {
  const Button = () => <UndoToastButton onPress={onPress}>{undo}</UndoToastButton>;
  toasts.add({ text, topic, Button });
}
