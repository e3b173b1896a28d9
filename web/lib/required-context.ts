import { createContext, type Provider, useContext } from 'react';

/** Creates a provider and the hook that reads its value. The hook throws outside the provider. */
export function createRequiredContext<Value>(): [provider: Provider<Value | null>, useValue: () => Value] {
  const Context = createContext<Value | null>(null);
  function useValue(): Value {
    const value = useContext(Context);
    if (value === null) throw new Error('No provider above');
    return value;
  }
  return [Context.Provider, useValue];
}
