import { useSyncExternalStore } from 'react';

/** A value that calls its listeners after each change. */
export interface Observable<Value> {
  get(): Value;
  /** The value in the server's HTML, which the first render in the browser must repeat. */
  readonly initial: Value;
  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}

export interface ObservableState<Value> extends Observable<Value> {
  /** Sets the value and calls the listeners, even if `next` is the same object: its contents may have changed. */
  set(next: Value): void;
}

export function createObservable<Value>(initial: Value): ObservableState<Value> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    initial,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders again when the value changes or, with `select`, when the selected part of it changes. */
export function useObservable<Value>(observable: Observable<Value>): Value;
export function useObservable<Value, Part>(observable: Observable<Value>, select: (value: Value) => Part): Part;
export function useObservable<Value>(
  observable: Observable<Value>,
  select: (value: Value) => unknown = (value) => value,
): unknown {
  return useSyncExternalStore(
    observable.subscribe,
    () => select(observable.get()),
    () => select(observable.initial),
  );
}

const mounted: Observable<boolean> = { get: () => true, initial: false, subscribe: () => () => {} };

/** False on the server and in the first render in the browser, then true. */
export const useMounted = (): boolean => useObservable(mounted);
