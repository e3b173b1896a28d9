import type { Owner } from '#contract/posts.ts';
import { createRequiredContext } from '../../lib/required-context.ts';

/** A choice that a person makes for a post or its author. */
export type ChoiceAction =
  | { kind: 'follow'; postId: string }
  | { kind: 'bookmark'; postId: string }
  | { kind: 'author'; author: Pick<Owner, 'id' | 'username'> };

/** Actions that require signing in. `visit` opens a page, `layer` one over the page on the screen. */
export type Action =
  | { kind: 'visit'; path?: string }
  | { kind: 'layer'; href: string }
  | { kind: 'like'; postId: string }
  | ChoiceAction
  | { kind: 'mute'; authorId: string };

/** Carries out an action, after signing in if necessary. */
export type Perform = (action: Action) => void;

export const [PerformProvider, usePerform] = createRequiredContext<Perform>();
