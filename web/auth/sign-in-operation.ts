import { type Operation, operationKeeper } from './operation.ts';

/** A started sign-in or registration. */
export interface SignInOperation extends Operation {
  purpose: 'login' | 'registration';
}

export const signInOperation = operationKeeper<SignInOperation>('sign-in');
