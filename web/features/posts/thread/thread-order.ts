import { readStored, writeStored } from '../../../lib/storage.ts';
import type { ThreadOrder } from '../store/thread-tree.ts';

const key = 'replies';

/** The order the reader has chosen in this browser. The server's HTML is in the default order, the newest first. */
export const storedOrder = (): ThreadOrder =>
  !import.meta.env.SSR && readStored('localStorage', key) === 'oldest' ? 'oldest' : 'newest';

export const storeOrder = (order: ThreadOrder): void => writeStored('localStorage', key, order);

/** Makes the replies visible in their current order. */
export function showOrder(): void {
  delete document.documentElement.dataset['replies'];
}

/**
 * Runs in <head>. While the replies are in another order than the chosen one they are invisible, so that nothing is read
 * twice and nothing moves.
 */
export const orderScript: string = `try{if(localStorage.getItem('${key}')==='oldest')document.documentElement.dataset.replies='oldest'}catch{}`;
