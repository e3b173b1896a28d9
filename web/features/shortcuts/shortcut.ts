import { explainLoading, namedOnDemand } from '../../lib/on-demand.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { showToast } from '../../lib/toasts.ts';

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
    // The letter would go into a field that opens.
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

type Walk = (step: 1 | -1) => void;

let walk: Walk | undefined;

/** Set by the discussion on the screen, which knows the siblings of each reply. */
export function onWalkSiblings(walkInThread: Walk): () => void {
  walk = walkInThread;
  return () => {
    if (walk === walkInThread) walk = undefined;
  };
}

export const walkSiblings: Walk = (step) => walk?.(step);

export type Shortcut = 'F' | 'J' | 'K' | 'L' | 'N' | 'R' | 'U' | 'Z' | 'Shift+J' | 'Shift+K' | '/' | '?';

/** Letters count by their physical key because Cyrillic layouts type other letters. The two keys of signs count as typed, too. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const { key, code, shiftKey } = event;
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  if (key === '?' || (shiftKey && code === 'Slash')) return '?';
  if (key === '/' || code === 'Slash') return '/';
  return (shiftKey ? /^Key([JK])$/ : /^Key([FJKLNRUZ])$/).test(code)
    ? (code.replace('Key', shiftKey ? 'Shift+' : '') as Shortcut)
    : undefined;
}

const key = 'shortcuts';

/** People who use speech input or press keys by accident can turn shortcuts off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => readStored('localStorage', key) === null;

export function turnShortcuts(on: boolean): void {
  if (on) removeStored('localStorage', key);
  else writeStored('localStorage', key, 'off');
}
