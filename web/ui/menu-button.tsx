import { Icon } from './icon.tsx';
import styles from './menu.module.css';

interface MenuButtonProps {
  label: string;
  menuId: string;
  open: boolean;
  onOpen: () => void;
}

/** While the menu is open the browser knows the button as its own: it says so to screen readers, and a second click closes it. */
export function MenuButton({ label, menuId, open, onOpen }: MenuButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      aria-haspopup="menu"
      popoverTarget={open ? menuId : undefined}
      onClick={(event) => {
        if (open) return;
        // The menu may stand by the time the browser looks what the click is for, and would be closed at once.
        event.preventDefault();
        onOpen();
      }}
    >
      <Icon name="more" />
    </button>
  );
}
