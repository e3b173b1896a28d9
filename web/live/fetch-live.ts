import { networkOrPause } from '../lib/network-or-pause.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { freshPosts } from '../posts/fresh-posts-on-demand.ts';
import type { startLive } from './start-live.ts';

/** What happens elsewhere is heard of once the page is there, and no later than that. */
const idleWithinMs = 1_000;

/** Nobody waits for it: it is tried until it comes. */
export async function fetchLive(): Promise<typeof startLive> {
  await whenIdle(idleWithinMs);
  for (;;) {
    try {
      const [live] = await Promise.all([import('./start-live.ts'), freshPosts.load()]);
      return live.startLive;
    } catch {
      await networkOrPause();
    }
  }
}
