import { describeDevice } from './describe-device.ts';
import { emailProblem } from './email-problem.ts';
import { LaterStep } from './later-step.tsx';
import { createSignInFlow, type SignInOptions } from './sign-in-flow.ts';

/** One module for everything that is loaded on demand. */
export function loadedSignIn(options: SignInOptions) {
  return { flow: createSignInFlow(options), LaterStep, emailProblem, describeDevice };
}
