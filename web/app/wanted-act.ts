import type { Action } from '../features/session/actions.ts';
import { readStored, removeStored, writeStored } from '../lib/storage.ts';

const key = 'wanted act';
/** About as long as a mailed code is valid. */
const usefulMs = 10 * 60_000;

export type WantedAct = Exclude<Action, { kind: 'visit' | 'layer' }>;

/** Stores in this tab an act for which a visitor has to sign in. A page or a layer is not stored: the address of the sign-in names it. */
export function storeWantedAct(action: Action): void {
  if (action.kind === 'visit' || action.kind === 'layer') removeStored('sessionStorage', key);
  else writeStored('sessionStorage', key, JSON.stringify({ action, at: Date.now() }));
}

/** Returns the stored act and removes it. */
export function takeWantedAct(): WantedAct | null {
  const stored: { action: WantedAct; at: number } | null = JSON.parse(readStored('sessionStorage', key) ?? 'null');
  removeStored('sessionStorage', key);
  return stored && Math.abs(Date.now() - stored.at) < usefulMs ? stored.action : null;
}
