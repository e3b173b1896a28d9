import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** `danger`: destroys something. `plain`: looks like text, for rare actions. */
  variant?: 'primary' | 'danger' | 'quiet' | 'plain';
  /** The action is running: the button keeps its size and the focus and ignores clicks. */
  busy?: boolean;
}

export function Button({ variant = 'quiet', busy = false, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={styles.button}
      data-variant={variant}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
