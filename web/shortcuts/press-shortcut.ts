import { explainLoading, onDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';

export type Shortcut = 'J' | 'K' | 'L' | 'N' | 'R' | '?';

/** Readers who use no keys never load what they do. */
export const acting = onDemand(async () => (await import('./act-on.ts')).actOn);

export function pressShortcut(shortcut: Shortcut): void {
  acting.load().then(
    (actOn) => actOn(shortcut),
    (error: unknown) => showToast(explainLoading(error)),
  );
}
