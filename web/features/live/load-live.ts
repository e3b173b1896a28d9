import { networkOrPause } from '../../lib/network-or-pause.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { listPills } from '../posts/list/post-list.tsx';
import type { startLive } from './start-live.ts';

/** The latest start of live updates after the page has been loaded. */
const idleWithinMs = 1_000;

/** Loads live updates in the background. Tries until it succeeds. */
export async function loadLive(): Promise<typeof startLive> {
  await whenIdle(idleWithinMs);
  for (;;) {
    try {
      const [live] = await Promise.all([import('./start-live.ts'), listPills.load()]);
      return live.startLive;
    } catch {
      await networkOrPause();
    }
  }
}
