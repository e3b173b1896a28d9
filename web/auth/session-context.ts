import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Session, SessionState } from './session.ts';

const Context = createContext<Session | null>(null);

export const SessionProvider = Context.Provider;

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('No SessionProvider above');
  return session;
}

/** What the server's HTML, the same for everyone, shows. */
const authorizing: SessionState = { is: 'authorizing' };

export function useSessionState(): SessionState {
  const { subscribe, state } = useSession();
  return useSyncExternalStore(subscribe, state, () => authorizing);
}
