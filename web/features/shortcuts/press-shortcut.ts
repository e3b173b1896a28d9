import { explainLoading, namedOnDemand } from '../../lib/on-demand.ts';
import { showToast } from '../../lib/toasts.ts';
import { areShortcutsOn, type Shortcut, shortcutOf } from './shortcut.ts';

/** Loaded on demand: most readers use no shortcuts. */
export const acting = namedOnDemand(() => import('./act-on.ts'), 'actOn');

export function pressShortcut(shortcut: Shortcut): void {
  acting.load().then(
    (actOn) => actOn(shortcut),
    (error: unknown) => showToast(explainLoading(error)),
  );
}

/** Handles shortcuts while no field has the focus and no dialog or menu is open. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const shortcut = shortcutOf(event);
    if (!shortcut || isMeantOtherwise(event)) return;
    // Otherwise the letter would be typed into a field that the shortcut opens.
    event.preventDefault();
    if (!event.repeat || /[JK]$/.test(shortcut)) pressShortcut(shortcut);
  });
}

function isMeantOtherwise({ defaultPrevented, target }: KeyboardEvent): boolean {
  return (
    defaultPrevented ||
    (target as Element).matches('input, textarea, select, [contenteditable]') ||
    document.querySelector('dialog[open], :popover-open') !== null ||
    !areShortcutsOn()
  );
}
