import { useCallback, useEffect, useRef, useState } from 'react';
import { onDemand } from '../../lib/on-demand.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { type Action, readPendingAction, removePendingAction, storePendingAction } from '../session/actions.ts';
import { type SessionState, useSession, useSessionState } from '../session/session.ts';
import { storedSignIn } from './operation.ts';
import type { SignInOptions } from './sign-in-flow.ts';

/** The flow is created once per page load: closing the dialog does not reset it. */
function createLazySignIn(options: SignInOptions) {
  return onDemand(async () => {
    const [{ createSignInFlow }, { LaterStep, emailStep, partOf }] = await Promise.all([
      import('./sign-in-flow.ts'),
      import('./later-step.tsx'),
    ]);
    return { flow: createSignInFlow(options), LaterStep, emailStep, partOf };
  });
}

export type LazySignIn = ReturnType<typeof createLazySignIn>;

interface UseSignInOptions extends Pick<SignInOptions, 'settings'> {
  /** Performs an action of a signed-in person. */
  onAllowed: (action: Action) => void;
  onSignedIn: (address: string) => void;
}

/** Loading what reading needs comes first. */
const idleWithinMs = 3_000;

/** Returns `perform`, which asks visitors to sign in first, and the state of the sign-in dialog. */
export function useSignIn({ settings, onAllowed, onSignedIn }: UseSignInOptions) {
  const session = useSession();
  const { is } = useSessionState();
  // After a reload the dialog opens again if a code is expected.
  const [asked, setAsked] = useState(() => storedSignIn.read(Date.now()) !== null);

  /** Until it is known who is signed in, nothing shows that a tap has been noticed: tapping again is no second action. */
  const waiting = useRef(new Set<string>());

  const perform = useCallback(
    (action: Action) => {
      const act = (state: SessionState) => {
        if (state.is === 'authorized') return onAllowed(action);
        storePendingAction(action);
        setAsked(true);
      };
      const state = session.state.get();
      // Synchronously if possible: phones only show their keyboard directly after a tap.
      if (state.is !== 'authorizing') return act(state);
      const key = JSON.stringify(action);
      if (waiting.current.has(key)) return;
      waiting.current.add(key);
      void session
        .known()
        .then(act)
        .finally(() => waiting.current.delete(key));
    },
    [session, onAllowed],
  );

  const close = useCallback(() => {
    removePendingAction();
    storedSignIn.remove();
    setAsked(false);
  }, []);

  const [signIn] = useState(() =>
    createLazySignIn({
      settings,
      onSignedIn: () => onSignedIn(readPendingAction()?.path ?? location.pathname + location.search),
    }),
  );

  useEffect(() => {
    if (is !== 'signed-out') return undefined;
    // After a failure it is loaded when the dialog opens.
    const loadAhead = () => void signIn.load().catch(() => {});
    void whenIdle(idleWithinMs).then(loadAhead);
    addEventListener('pointerdown', loadAhead, { once: true });
    return () => removeEventListener('pointerdown', loadAhead);
  }, [is, signIn]);

  useEffect(() => {
    // The page was reloaded before a code was requested: the dialog is closed.
    if (session.state.get().is === 'signed-out' && storedSignIn.read(Date.now()) === null) removePendingAction();
  }, [session]);

  useEffect(() => {
    if (is !== 'authorized') return;
    // Signed in before the reload or in another tab.
    const action = readPendingAction();
    removePendingAction();
    storedSignIn.remove();
    // A like is not repeated: the person may have liked the post before.
    if (action && action.kind !== 'like') onAllowed(action);
  }, [is, onAllowed]);

  useEffect(() => session.onEnd(() => setAsked(false)), [session]);

  return { perform, dialog: { open: asked && is === 'signed-out', onClose: close, signIn } };
}
