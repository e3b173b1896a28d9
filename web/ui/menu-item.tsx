import type { ReactNode } from 'react';
import styles from './menu.module.css';

interface MenuItemProps {
  /** It keeps its place and the focus, and does nothing. */
  disabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
}

export function MenuItem({ disabled = false, onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onChoose}
    >
      {children}
    </button>
  );
}
