/**
 * Presses after the first of a double click do nothing if that one has opened or closed a dialog: they were not meant for what
 * lies there now, and would take the focus away. Called once, in the browser.
 */
export function ignoreLatePresses(): void {
  let pressedIn: Element | null = null;
  let isLate = false;

  function ignore(event: Event): void {
    event.preventDefault();
    event.stopPropagation();
  }

  function onPress(event: MouseEvent): void {
    const dialog = document.querySelector('dialog[open]');
    if (event.detail < 2) pressedIn = dialog;
    isLate = dialog !== pressedIn;
    if (isLate) ignore(event);
  }

  addEventListener('mousedown', onPress, true);
  addEventListener('click', (event) => isLate && event.detail > 1 && ignore(event), true);
}
