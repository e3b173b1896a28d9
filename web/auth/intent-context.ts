import { createContext, useContext } from 'react';
import type { Intent } from './intent.ts';

/** Does what a person wants, a visitor being asked to sign in first. */
type Intend = (intent: Intent) => void;

const Context = createContext<Intend | null>(null);

export const IntentProvider = Context.Provider;

export function useIntend(): Intend {
  const intend = useContext(Context);
  if (!intend) throw new Error('No IntentProvider above');
  return intend;
}
