import { keep, kept } from '../lib/kept.ts';
import type { Place } from './place.ts';

interface StoredPlace extends Place {
  /** Of the history entry. */
  entry: string;
  path: string;
}

const key = 'places';
const most = 50;

const all = (): StoredPlace[] => JSON.parse(kept('sessionStorage', key) ?? '[]');

const here = (): string => location.pathname + location.search;

/** Keeps where the reader is for another load of this page: a reload, a discarded tab, a return from elsewhere. */
export function storePlace(entry: string, place: Place): void {
  const others = all().filter((other) => other.entry !== entry);
  keep('sessionStorage', key, JSON.stringify([...others, { ...place, entry, path: here() }].slice(-most)));
}

export function storedPlace(entry: string): Place | null {
  return all().find((place) => place.entry === entry && place.path === here()) ?? null;
}

/** Calls `store` whenever the page may be gone next: a phone discards a hidden tab without another word. */
export function beforePageGoes(store: () => void): void {
  addEventListener('pagehide', store);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') store();
  });
}
