import type { ReactNode } from 'react';
import { NotKnown } from './html-tags.ts';

export type Hooks = Record<string, (...input: never[]) => unknown>;

type Component = (props: object) => ReactNode;
type Made<Value> = Value | (() => Value);

const nothing = (): void => {};
const notKnown = (): never => {
  throw new NotKnown();
};
const maxRenders = 25;

const unused: Hooks = Object.fromEntries(
  'use useReducer useTransition useDeferredValue useActionState useFormState useOptimistic useHostTransitionStatus useMemoCache useCacheRefresh'
    .split(' ')
    .map((name) => [name, notKnown]),
);

/** The hooks of one rendering, as on any server: effects do not run, and stores give what the server's HTML shows. */
export function hooksOf() {
  const contexts = new Map<object, unknown>();
  /** The lengths of the lists that are being rendered and the places in them: ids are derived from it. */
  const path: number[] = [];
  /** The states of the component that is being rendered. */
  const cells: unknown[] = [];
  let cell = 0;
  let ids = 0;
  let isChanged = false;
  let component = 0;

  const valueOf = <Value>(made: Made<Value>): Value => (typeof made === 'function' ? (made as () => Value)() : made);

  function useState<Value>(initial: Made<Value>): [Value, (next: Made<Value>) => void] {
    const at = cell;
    const mine = component;
    cell += 1;
    if (at === cells.length) cells.push(valueOf(initial));
    const set = (next: Made<Value>) => {
      if (mine !== component) return;
      cells[at] = typeof next === 'function' ? (next as (before: unknown) => Value)(cells[at]) : next;
      isChanged = true;
    };
    return [cells[at] as Value, set];
  }

  function useRef(initial: unknown): unknown {
    const at = cell;
    cell += 1;
    if (at === cells.length) cells.push({ current: initial });
    return cells[at];
  }

  function useContext(context: Record<string, unknown>): unknown {
    return contexts.has(context) ? contexts.get(context) : context['_currentValue'];
  }

  const hooks: Hooks = {
    useState,
    useRef,
    useContext,
    readContext: useContext,
    useMemo: (make: () => unknown) => make(),
    useCallback: (callback: unknown) => callback,
    useSyncExternalStore: (_: unknown, __: unknown, server: () => unknown) => server(),
    useId: () => idAt(path, ids++),
    useEffectEvent: () => notKnown,
    useEffect: nothing,
    useLayoutEffect: nothing,
    useInsertionEffect: nothing,
    useImperativeHandle: nothing,
    useDebugValue: nothing,
    ...unused,
  };

  return {
    hooks,
    path,

    /** A component that sets its own state while it renders is rendered again. */
    render(type: Component, props: object): { node: ReactNode; hasIds: boolean } {
      component += 1;
      cells.length = 0;
      for (let renders = 0; renders < maxRenders; renders += 1) {
        cell = 0;
        ids = 0;
        isChanged = false;
        const node = type(props);
        if (!isChanged) return { node, hasIds: ids > 0 };
      }
      throw new NotKnown();
    },

    provide(context: object, value: unknown, within: () => void): void {
      const had = contexts.has(context);
      const before = contexts.get(context);
      contexts.set(context, value);
      within();
      if (had) contexts.set(context, before);
      else contexts.delete(context);
    },
  };
}

const bitsOf = (number: number): number => 32 - Math.clz32(number);

/** React's id of a component, which the browser derives from the same path. */
function idAt(path: readonly number[], local: number): string {
  let id = 1;
  let overflow = '';
  for (let i = 0; i < path.length; i += 2) {
    const total = path[i]!;
    const slot = path[i + 1]! + 1;
    let length = bitsOf(id) - 1;
    let base = id & ~(1 << length);
    if (bitsOf(total) + length > 30) {
      const over = length - (length % 5);
      overflow = (base & ((1 << over) - 1)).toString(32) + overflow;
      base >>= over;
      length -= over;
    }
    id = (1 << (bitsOf(total) + length)) | (slot << length) | base;
  }
  const tree = (id & ~(1 << (bitsOf(id) - 1))).toString(32) + overflow;
  return `_R_${tree}${local > 0 ? `H${local.toString(32)}` : ''}_`;
}
