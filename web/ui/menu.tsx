import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './menu.module.css';

interface MenuProps {
  id: string;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** Open as long as it is rendered, beside the MenuButton of the same id. The browser closes it and gives the focus back. */
export function Menu({ id, label, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = menu.current;
    element?.showPopover();
    focusItem(element, 0);
    return () => element?.hidePopover();
  }, []);

  // An item that had the focus may be gone.
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
      // First, so that the focus is back at the button before an item goes on to something else.
      onClickCapture={() => menu.current?.hidePopover()}
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
