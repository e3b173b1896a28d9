import { removeStored, writeStored } from '../lib/storage.ts';

const key = 'above';

/** Stores the height of what stands above the posts, for which a script in <head> keeps the place at the next visit. */
export function keepAbove(height: number): void {
  document.documentElement.style.removeProperty('--above');
  if (height > 0) writeStored('localStorage', key, String(Math.round(height)));
  else removeStored('localStorage', key);
}
