import { forget, keep, kept } from '../lib/kept.ts';

/** What a person wants to do that takes being signed in. */
export type Intent =
  | { kind: 'visit'; path?: string }
  | { kind: 'new-post' }
  | { kind: 'like' | 'reply' | 'report'; postId: string };

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
