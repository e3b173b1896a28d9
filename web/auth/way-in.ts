import { onDemand } from '../lib/on-demand.ts';
import type { SignInFlowOptions } from './sign-in-flow.ts';

/** The way in of one page load: begun once, so that closing the dialog ends nothing. */
export function createWayIn(options: SignInFlowOptions) {
  return onDemand(async () => (await import('./begin-sign-in.ts')).beginSignIn(options));
}

export type WayIn = ReturnType<typeof createWayIn>;
