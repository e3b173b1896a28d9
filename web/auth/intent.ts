import { forget, keep, kept } from '../lib/kept.ts';

/** What is said or decided in a dialog about posts. */
export type DialogIntent = { kind: 'new-post' } | { kind: 'reply' | 'edit' | 'delete' | 'report'; postId: string };

/** What a person wants to do that takes being signed in. */
export type Intent =
  | { kind: 'visit'; path?: string }
  | { kind: 'like'; postId: string }
  | { kind: 'mute'; authorId: string }
  | DialogIntent;

/** The place to come back to with it. */
type KeptIntent = Intent & { path: string };

const key = 'intent';

/** Keeps a visitor's intent while they sign in, across the reload that follows. */
export function keepIntent(intent: Intent): void {
  const here = location.pathname + location.search;
  keep('sessionStorage', key, JSON.stringify({ path: here, ...intent } satisfies KeptIntent));
}

export function keptIntent(): KeptIntent | null {
  return JSON.parse(kept('sessionStorage', key) ?? 'null');
}

export const forgetIntent = (): void => forget('sessionStorage', key);
