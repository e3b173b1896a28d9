import { writeStored, readStored } from '../lib/storage.ts';
import type { Place } from './place.ts';

interface StoredPlace extends Place {
  /** The key of the history entry. */
  entry: string;
  path: string;
}

const key = 'places';
const most = 50;

const all = (): StoredPlace[] => JSON.parse(readStored('sessionStorage', key) ?? '[]');

const here = (): string => location.pathname + location.search;

/** Stores the place for the next load of this page: a reload, a discarded tab, a return from another site. */
export function storePlace(entry: string, place: Place): void {
  const others = all().filter((other) => other.entry !== entry);
  writeStored('sessionStorage', key, JSON.stringify([...others, { ...place, entry, path: here() }].slice(-most)));
}

export function storedPlace(entry: string): Place | null {
  return all().find((place) => place.entry === entry && place.path === here()) ?? null;
}

/**
 * Where the page was left if the browser loads it once more: by a reload, by Back or Forward, or after it was discarded.
 * A link to the page's own address, or the address typed again, keeps the history entry but starts at the top.
 */
export function placeLeft(entry: string): Place | null {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'navigate' ? null : storedPlace(entry);
}

/** Calls `store` whenever the page may be discarded next. Phones discard hidden tabs without a further event. */
export function beforePageGoes(store: () => void): void {
  addEventListener('pagehide', store);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') store();
  });
}
