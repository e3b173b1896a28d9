import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog-buttons.module.css';
import { FormError } from './form-error.tsx';

/** The buttons at the end of a dialog, side by side if there is room. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
);

interface ConfirmButtonsProps {
  /** The words on the button that destroys something. */
  action: string;
  busy?: boolean;
  error?: string | null;
  onConfirm: () => unknown;
  onCancel: () => void;
}

/** The end of a dialog that asks before it destroys something. The other button stands first and has the focus. */
export function ConfirmButtons({ action, busy = false, error = null, onConfirm, onCancel }: ConfirmButtonsProps) {
  return (
    <>
      <FormError>{error}</FormError>
      <DialogButtons>
        <Button data-autofocus onClick={onCancel}>
          Отмена
        </Button>
        <Button variant="danger" busy={busy} onClick={() => void onConfirm()}>
          {action}
        </Button>
      </DialogButtons>
    </>
  );
}
