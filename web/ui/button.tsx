import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** `plain`: no more than its words, for what is rarely wanted. */
  variant?: 'primary' | 'quiet' | 'plain';
  /** Under way: it keeps its size and the focus, and takes no second click. */
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
      aria-disabled={busy}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
