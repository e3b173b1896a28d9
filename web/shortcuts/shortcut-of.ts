import type { Shortcut } from './press-shortcut.ts';

/** Letters by their place on the keyboard: a Cyrillic layout types others there. The question mark wherever it is typed. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const { key, code, shiftKey } = event;
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  if (key === '?' || (shiftKey && code === 'Slash')) return '?';
  return shiftKey ? undefined : (/^Key([JKLNR])$/.exec(code)?.[1] as Shortcut | undefined);
}
