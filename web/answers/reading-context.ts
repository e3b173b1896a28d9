import { createContext, useContext } from 'react';

interface Reading {
  /** New to whoever is here, during this visit. */
  news: ReadonlySet<string>;
  /** Whether any of them is still to be read. */
  isOpen: boolean;
  onSeen: (id: string) => void;
}

const Context = createContext<Reading | null>(null);

export const ReadingProvider = Context.Provider;

export function useReading(): Reading {
  const reading = useContext(Context);
  if (!reading) throw new Error('No ReadingProvider above');
  return reading;
}
