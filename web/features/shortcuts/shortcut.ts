import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

type Walk = (step: 1 | -1) => void;

let walk: Walk | undefined;

/** Called by the discussion on the screen, which knows the siblings of each reply. */
export function onWalkSiblings(walkInThread: Walk): () => void {
  walk = walkInThread;
  return () => {
    if (walk === walkInThread) walk = undefined;
  };
}

export const walkSiblings: Walk = (step) => walk?.(step);

export type Shortcut = 'F' | 'J' | 'K' | 'L' | 'N' | 'R' | 'U' | 'Z' | 'Shift+J' | 'Shift+K' | '/' | '?';

/** Letters count by their physical key, because Cyrillic layouts type other letters. `/` and `?` count by the typed sign or the physical key. */
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
