import { forget, keep, kept } from '../lib/kept.ts';

const key = 'shortcuts';

/** Whoever dictates, or whose hands touch keys unmeant, can turn them off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => kept('localStorage', key) === null;

export function turnShortcuts(on: boolean): void {
  if (on) forget('localStorage', key);
  else keep('localStorage', key, 'off');
}
