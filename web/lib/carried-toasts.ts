import { forget, keep, kept } from './kept.ts';
import { type Toast, toasts } from './toasts.ts';

const key = 'toasts';

/** Where every link loads a page: what could not be said to its end is said on the next one. */
export function carryToasts(): void {
  const carried: Toast[] = JSON.parse(kept('sessionStorage', key) ?? '[]');
  forget('sessionStorage', key);
  carried.forEach(toasts.add);
  addEventListener('pagehide', () => keep('sessionStorage', key, JSON.stringify(toasts.unsaid())));
}
