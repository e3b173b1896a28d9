import { onDemand } from '../lib/on-demand.ts';
import { whenIdle } from '../lib/when-idle.ts';

/** What only signed-in people see. */
export const answersPage = onDemand(async () => (await import('./answers-page.tsx')).AnswersPage);

const idleWithinMs = 3_000;

/** Whoever is signed in finds it there at the first click. What does not come now is asked for again then. */
export async function fetchAnswersAhead(): Promise<void> {
  await whenIdle(idleWithinMs);
  await answersPage.load().catch(() => {});
}
