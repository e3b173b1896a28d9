import { LaterStep } from './later-step.tsx';
import { createSignInFlow, type SignInFlowOptions } from './sign-in-flow.ts';

/** All of the way in that a reader does not need, in one piece. */
export function beginSignIn(options: SignInFlowOptions) {
  return { flow: createSignInFlow(options), LaterStep };
}
