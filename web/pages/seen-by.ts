import type { SessionState } from '../auth/session.ts';
import type { View } from '../router/screen.ts';

/** Pages for signed-in people wait until it is known who is here, and are not there for visitors. */
export function seenBy(session: SessionState, view: View): View {
  if ((view.kind !== 'secured' && view.kind !== 'personal') || session.is === 'authorized') return view;
  if (session.is === 'authorizing') return { kind: 'loading', of: view.of };
  if (session.failure !== undefined) return { kind: 'session-failed', of: view.of, message: session.failure };
  return { kind: 'sign-in-needed' };
}
