import type { SessionState } from '../auth/session.ts';
import type { View } from '../router/screen.ts';

/** Pages for signed-in people wait until it is known who is here, and are not there for visitors. */
export function seenBy({ is }: SessionState, view: View): View {
  if ((view.kind !== 'secured' && view.kind !== 'personal') || is === 'authorized') return view;
  return is === 'authorizing' ? { kind: 'loading', of: view.of } : { kind: 'sign-in-needed' };
}
