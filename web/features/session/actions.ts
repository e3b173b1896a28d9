import { createRequiredContext } from '../../lib/required-context.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

/** Actions that a dialog about posts carries out. */
export type DialogAction = { kind: 'new-post' } | { kind: 'reply' | 'edit' | 'delete' | 'report'; postId: string };

/** Actions that require signing in. `visit` opens a page. */
export type Action =
  | { kind: 'visit'; path?: string }
  | { kind: 'like'; postId: string }
  | { kind: 'follow'; postId: string }
  | { kind: 'mute'; authorId: string }
  | DialogAction;

/** Carries out an action, after signing in if necessary. */
type Perform = (action: Action) => void;

export const [PerformProvider, usePerform] = createRequiredContext<Perform>();

/** `path`: the page to return to after signing in. */
type PendingAction = Action & { path: string };

const storageKey = 'intent';

/** Stores a visitor's action until the page is loaded again after signing in. */
export function storePendingAction(action: Action): void {
  const here = location.pathname + location.search;
  writeStored('sessionStorage', storageKey, JSON.stringify({ path: here, ...action } satisfies PendingAction));
}

export function readPendingAction(): PendingAction | null {
  return JSON.parse(readStored('sessionStorage', storageKey) ?? 'null');
}

export const removePendingAction = (): void => removeStored('sessionStorage', storageKey);
