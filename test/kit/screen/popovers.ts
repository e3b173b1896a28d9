import type { Window } from 'happy-dom';

/** Adds `popover` to the elements of a window: opening, closing, and the button that does both. */
export function addPopovers(window: Window): void {
  const { document } = window;
  const open = (element: Element, isOpen: boolean): void => {
    if (element.hasAttribute('data-open') === isOpen) return;
    const [oldState, newState] = isOpen ? ['closed', 'open'] : ['open', 'closed'];
    const send = (type: string): void =>
      void element.dispatchEvent(Object.assign(new window.Event(type), { oldState, newState }) as unknown as Event);
    send('beforetoggle');
    element.toggleAttribute('data-open', isOpen);
    window.queueMicrotask(() => send('toggle'));
  };
  Object.assign(window.HTMLElement.prototype, {
    showPopover(this: Element) {
      open(this, true);
    },
    hidePopover(this: Element) {
      open(this, false);
    },
    togglePopover(this: Element, force = !this.hasAttribute('data-open')) {
      open(this, force);
    },
  });
  const opened = () => [...document.querySelectorAll('[popover=auto][data-open]')] as unknown as Element[];
  window.addEventListener('mousedown', ({ target }) => {
    const pressed = target as unknown as Element;
    const button = pressed.closest('[popovertarget]');
    for (const each of opened())
      if (!each.contains(pressed) && button?.getAttribute('popovertarget') !== each.id) open(each, false);
  });
  window.addEventListener('keydown', (event) => {
    if ((event as unknown as KeyboardEvent).key === 'Escape') for (const each of opened()) open(each, false);
  });
  window.addEventListener('click', (event) => {
    const button = (event.target as unknown as Element).closest('[popovertarget]');
    const target = button && document.getElementById(button.getAttribute('popovertarget')!);
    if (target && !event.defaultPrevented) open(target as unknown as Element, !target.hasAttribute('data-open'));
  });
}
