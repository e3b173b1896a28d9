import { type OnDemand, onDemand } from '../lib/on-demand.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { acting } from '../shortcuts/press-shortcut.ts';

/** What only those need who write or act, not those who read. */
export const postForm = onDemand(async () => (await import('./post-form.tsx')).PostForm);
export const postMenu = onDemand(async () => (await import('./post-menu.tsx')).PostMenu);

const idleWithinMs = 2_000;

/** They are there at the first click. What does not come now is asked for again then. */
async function fetchAhead(...parts: OnDemand<unknown>[]): Promise<void> {
  await whenIdle(idleWithinMs);
  await Promise.allSettled(parts.map((part) => part.load()));
}

export const fetchMenuAhead = (): Promise<void> => fetchAhead(postMenu);

/** For whoever is signed in. */
export const fetchWritingAhead = (): Promise<void> => fetchAhead(postForm, acting);
