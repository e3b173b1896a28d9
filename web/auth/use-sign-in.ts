import { useCallback, useEffect, useState } from 'react';
import { forgetIntent, type Intent, keepIntent, keptIntent } from './intent.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { useSession, useSessionState } from './session-context.ts';
import type { SessionState } from './session.ts';
import { signInOperation } from './sign-in-operation.ts';
import { createWayIn } from './way-in.ts';

interface SignInOptions {
  /** How long the server asks to wait between two codes. */
  pauseSeconds: number;
  /** A signed-in person's intent. */
  onAllowed: (intent: Intent) => void;
  onSignedIn: (address: string) => void;
}

/** Reading comes first. */
const idleWithinMs = 3_000;

/** When the sign-in dialog stands open, and what follows it. */
export function useSignIn({ pauseSeconds, onAllowed, onSignedIn }: SignInOptions) {
  const session = useSession();
  const { is } = useSessionState();
  // A reload comes back to where a code was awaited.
  const [asked, setAsked] = useState(() => signInOperation.kept(Date.now()) !== null);

  const intend = useCallback(
    (intent: Intent) => {
      const act = (state: SessionState) => {
        if (state.is === 'authorized') return onAllowed(intent);
        keepIntent(intent);
        setAsked(true);
      };
      const state = session.state();
      // At once where it can be: phones show their keyboard only for what follows a tap directly.
      if (state.is === 'authorizing') void session.known().then(act);
      else act(state);
    },
    [session, onAllowed],
  );

  const close = useCallback(() => {
    forgetIntent();
    signInOperation.forget();
    setAsked(false);
  }, []);

  const [wayIn] = useState(() =>
    createWayIn({
      pauseSeconds,
      onSignedIn: () => onSignedIn(keptIntent()?.path ?? location.pathname + location.search),
    }),
  );

  useEffect(() => {
    if (is !== 'signed-out') return undefined;
    // What does not come now is asked for again when it is needed.
    const fetchAhead = () => void wayIn.load().catch(() => {});
    void whenIdle(idleWithinMs).then(fetchAhead);
    addEventListener('pointerdown', fetchAhead, { once: true });
    return () => removeEventListener('pointerdown', fetchAhead);
  }, [is, wayIn]);

  useEffect(() => {
    // A reload in the middle of it: nobody is being asked any more.
    if (session.state().is === 'signed-out' && signInOperation.kept(Date.now()) === null) forgetIntent();
  }, [session]);

  useEffect(() => {
    if (is !== 'authorized') return;
    // Signed in, here before the reload or in another tab.
    const intent = keptIntent();
    forgetIntent();
    signInOperation.forget();
    // Whoever signed in in order to like something sees it again, and likes it or not.
    if (intent && intent.kind !== 'like') onAllowed(intent);
  }, [is, onAllowed]);

  useEffect(() => session.onEnd(() => setAsked(false)), [session]);

  return { intend, dialog: { open: asked && is === 'signed-out', onClose: close, wayIn } };
}
