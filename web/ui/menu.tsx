import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './menu.module.css';

interface MenuProps {
  id: string;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A menu that is open while it is rendered, next to the MenuButton with the same id. The browser closes it and restores the focus. */
export function Menu({ id, label, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = menu.current;
    element?.showPopover();
    focusItem(element, 0);
    return () => element?.hidePopover();
  }, []);

  // The item with the focus may have been removed.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) focusItem(menu.current, 0);
  });

  const moveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') menu.current?.hidePopover();
    const items = itemsOf(menu.current);
    const at = items.findIndex((item) => item === document.activeElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focusItem(menu.current, to % items.length);
  };

  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      aria-label={label}
      popover="auto"
      tabIndex={-1}
      className={styles.menu}
      // The menu closes in the capture phase, so that the button has the focus again before the item's handler runs.
      onClickCapture={({ target }) => {
        if (!(target as Element).closest('[aria-disabled]')) menu.current?.hidePopover();
      }}
      onKeyDown={moveByKey}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose();
      }}
    >
      {children}
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

function focusItem(menu: HTMLElement | null, index: number): void {
  itemsOf(menu).at(index)?.focus();
}

interface MenuItemProps {
  /** The item does nothing, but keeps its position and the focus. */
  disabled?: boolean;
  icon?: ReactNode;
  /** Whether a line parts the item from the one above. */
  isFirst?: boolean;
  /** The act of the item destroys something. */
  destroys?: boolean | undefined;
  onChoose: () => void;
  children: ReactNode;
}

export function MenuItem({ disabled = false, icon, isFirst, destroys, onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-first={isFirst || undefined}
      data-destroys={destroys || undefined}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onChoose}
    >
      {icon}
      <span>{children}</span>
    </button>
  );
}
