import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog-buttons.module.css';

interface DialogButtonsProps {
  /** Called by a button that stands first and has the focus. */
  onCancel?: () => void;
  children: ReactNode;
}

/** The buttons at the end of a dialog, side by side if there is room. */
export function DialogButtons({ onCancel, children }: DialogButtonsProps) {
  return (
    <div className={styles.buttons}>
      {onCancel && (
        <Button data-autofocus onClick={onCancel}>
          Отмена
        </Button>
      )}
      {children}
    </div>
  );
}
