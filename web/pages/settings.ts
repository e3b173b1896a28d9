import { onDemand } from '../lib/on-demand.ts';
import { whenIdle } from '../lib/when-idle.ts';

/** What only signed-in people see, and rarely. */
export const settingsPages = onDemand(async () => (await import('./settings-pages.tsx')).SettingsPages);

const idleWithinMs = 4_000;

/** Whoever is signed in finds it there at the first click. What does not come now is asked for again then. */
export async function fetchSettingsAhead(): Promise<void> {
  await whenIdle(idleWithinMs);
  await settingsPages.load().catch(() => {});
}
