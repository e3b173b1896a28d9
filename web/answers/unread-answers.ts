const listeners = new Set<() => void>();
let count = 0;

/** How many answers whoever is signed in has not read, the same on all their devices. */
export const unreadAnswers = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  count: (): number => count,

  /** Says whether that is another number. */
  hear(now: number): boolean {
    if (now === count) return false;
    count = now;
    for (const listener of listeners) listener();
    return true;
  },
};
