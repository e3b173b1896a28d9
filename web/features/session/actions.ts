import { createRequiredContext } from '../../lib/required-context.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

/** Actions that a dialog about posts, or a form in a discussion, carries out. */
export type DialogAction = { kind: 'new-post' } | ReplyAction | { kind: 'edit' | 'delete' | 'report'; postId: string };

export interface ReplyAction {
  kind: 'reply';
  postId: string;
  /** Lines of the post, to begin the reply with. */
  quote?: string;
}

/** A choice that a person makes for a post. */
export type ChoiceAction = { kind: 'follow'; postId: string } | { kind: 'bookmark'; postId: string };

/** Actions that require signing in. `visit` opens a page. */
export type Action =
  | { kind: 'visit'; path?: string }
  | { kind: 'like'; postId: string }
  | ChoiceAction
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
