import { type MouseEvent, type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { closeOnBack } from '../lib/dialog-entry.ts';
import { toasts } from '../lib/toasts.ts';
import styles from './dialog.module.css';
import iconButton from './icon-button.module.css';
import { Icon } from './icon.tsx';

interface DialogProps {
  open: boolean;
  title: ReactNode;
  /** The dialog's name if its title does not say what the dialog is for. */
  label?: string;
  /** Identifies the content. When it changes, the new content gets the focus. */
  part?: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** The browser keeps the focus inside, closes the dialog on Escape and restores the focus. */
export function Dialog({ open, title, label, part, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const titleId = useId();

  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || element === null) return undefined;
    // With `autofocus` the browser focuses this element at once. Otherwise the close button would have the focus first.
    element.querySelector('[data-autofocus]')?.setAttribute('autofocus', '');
    element.showModal();
    // Toasts behind the dialog would not be seen or announced.
    const releaseToasts = toasts.hold();
    const releaseBack = closeOnBack(() => close());
    return () => {
      element.close();
      releaseToasts();
      releaseBack();
    };
  }, [open]);

  useLayoutEffect(() => {
    if (open) dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [open, part]);

  // A selection dragged out of the dialog ends with a click on the backdrop. Only a click that also starts there closes.
  const notePress = (event: MouseEvent) => {
    pressedOutside.current = event.target === dialog.current;
  };
  const closeOutside = (event: MouseEvent) => {
    if (pressedOutside.current && event.target === dialog.current) onClose();
  };

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={label}
      aria-labelledby={label === undefined ? titleId : undefined}
      onMouseDown={notePress}
      onClick={closeOutside}
      onClose={() => {
        // The event comes late: the dialog may be open again by then.
        if (open && !dialog.current?.open) onClose();
      }}
    >
      {open && (
        <div className={styles.sheet}>
          <div className={styles.header}>
            <h2 id={titleId} className={styles.title}>
              {title}
            </h2>
            <button
              type="button"
              className={`${iconButton.button} ${styles.close}`}
              aria-label="Закрыть"
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
