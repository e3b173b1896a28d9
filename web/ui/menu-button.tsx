import iconButton from './icon-button.module.css';
import { Icon } from './icon.tsx';
import styles from './menu.module.css';

interface MenuButtonProps {
  label: string;
  menuId: string;
  open: boolean;
  onOpen: () => void;
}

/** While the menu is open, `popovertarget` makes the browser expose its state to screen readers and close it on a click. */
export function MenuButton({ label, menuId, open, onOpen }: MenuButtonProps) {
  return (
    <button
      // Without scripts it submits a form that opens a plain page. `popovertarget` has no effect on a submit button.
      type={open ? 'button' : 'submit'}
      className={`${iconButton.button} ${styles.button}`}
      aria-label={label}
      aria-haspopup="menu"
      popoverTarget={open ? menuId : undefined}
      onClick={(event) => {
        if (open) return;
        // Otherwise the browser could find the menu already open and close it at once.
        event.preventDefault();
        onOpen();
      }}
    >
      <Icon name="more" />
    </button>
  );
}
