import { pressShortcut } from './press-shortcut.ts';
import { areShortcutsOn } from './shortcuts-setting.ts';
import { shortcutOf } from './shortcut-of.ts';

/** From now on keys do something by themselves, where nothing is being typed and nothing stands over the page. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const shortcut = shortcutOf(event);
    if (!shortcut || isMeantOtherwise(event)) return;
    // A field that opens would take the letter.
    event.preventDefault();
    if (!event.repeat || shortcut === 'J' || shortcut === 'K') pressShortcut(shortcut);
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
