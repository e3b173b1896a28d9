import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import { explainError } from './explain-error.ts';
import { whenIdle } from './waits.ts';

/** A thing that is loaded when it is first needed. After a failure the next call of `load` tries again. */
export interface OnDemand<Thing> {
  /** Undefined until it is loaded. */
  here(): Thing | undefined;
  load(): Promise<Thing>;
}

export function onDemand<Thing>(fetchIt: () => Promise<Thing>): OnDemand<Thing> {
  let thing: Thing | undefined;
  let loading: Promise<Thing> | undefined;

  async function begin(): Promise<Thing> {
    try {
      thing = await fetchIt();
      return thing;
    } finally {
      loading = undefined;
    }
  }

  return {
    here: () => thing,
    load: () => (thing === undefined ? (loading ??= begin()) : Promise.resolve(thing)),
  };
}

/** One export of a file that is loaded on demand. The build writes less code for it than for `(await import(…)).name`. */
export const namedOnDemand = <File, Name extends keyof File>(
  file: () => Promise<File>,
  name: Name,
): OnDemand<File[Name]> => onDemand(async () => (await file())[name]);

/** Loads parts before they are needed. One that fails is loaded again when it is needed. */
export async function loadWhenIdle(withinMs: number, ...parts: OnDemand<unknown>[]): Promise<void> {
  await whenIdle(withinMs);
  await Promise.allSettled(parts.map((part) => part.load()));
}

/** Loads the thing while `wanted`. `failure` is fit to show; `retry` and a change of `wanted` clear it. */
export function useOnDemand<Thing>(source: OnDemand<Thing>, wanted: boolean) {
  const [, setTurn] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const thing = source.here();
  const missing = wanted && thing === undefined && failure === null;
  const forgive = useCallback(() => setFailure(null), []);

  useEffect(() => {
    if (!missing) return;
    source.load().then(
      () => setTurn((turn) => turn + 1),
      (error: unknown) => setFailure(explainLoading(error)),
    );
  }, [missing, source]);

  useEffect(() => forgive, [wanted, forgive]);

  return { thing, failure, retry: forgive };
}

/** The message for an error while loading. For a part of the app the browser only says that the request failed. */
export function explainLoading(error: unknown): string {
  return error instanceof ApiError ? explainError(error) : 'Не удалось загрузить. Проверьте сеть и попробуйте ещё раз.';
}
