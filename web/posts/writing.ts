import { onDemand } from '../lib/on-demand.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { acting } from '../shortcuts/press-shortcut.ts';

/** What only those need who write or act, not those who read. */
export const postForm = onDemand(async () => (await import('./post-form.tsx')).PostForm);
export const postMenu = onDemand(async () => (await import('./post-menu.tsx')).PostMenu);

const idleWithinMs = 2_000;

/** Whoever is signed in finds it there at the first click. What does not come now is asked for again then. */
export async function fetchWritingAhead(): Promise<void> {
  await whenIdle(idleWithinMs);
  await Promise.allSettled([postForm.load(), postMenu.load(), acting.load()]);
}
