import { UndoButton } from '../features/posts/compose/undo-deletion.tsx';
import { readStored, removeStored, writeStored } from '../lib/storage.ts';
import { type Toast, toasts } from '../lib/toasts.ts';

const storageKey = 'toasts';

/** For browsers where every link loads a page: the next page shows the toasts this one has not finished. */
export function carryToasts(): void {
  // Buttons cannot be stored. A stored toast with a post had the button that undoes the deletion of the post.
  const carried: Toast[] = JSON.parse(readStored('sessionStorage', storageKey) ?? '[]');
  removeStored('sessionStorage', storageKey);
  for (const toast of carried) toasts.add(toast.postId ? { ...toast, Button: UndoButton } : toast);
  addEventListener('pagehide', () => writeStored('sessionStorage', storageKey, JSON.stringify(toasts.pending())));
}
