import { readStored, removeStored, writeStored } from './storage.ts';
import { type Toast, toasts } from './toasts.ts';

const storageKey = 'toasts';

/** For browsers where every link loads a page: the next page shows the toasts this one has not finished. */
export function carryToasts(): void {
  const carried: Toast[] = JSON.parse(readStored('sessionStorage', storageKey) ?? '[]');
  removeStored('sessionStorage', storageKey);
  carried.forEach(toasts.add);
  addEventListener('pagehide', () => writeStored('sessionStorage', storageKey, JSON.stringify(toasts.pending())));
}
