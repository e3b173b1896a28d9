import { useCallback, useEffect, useState } from 'react';
import { ApiError, explainError } from './api-error.ts';

/** What comes when it is first needed, and stays. After a failure the next who needs it tries again. */
export interface OnDemand<Thing> {
  /** As far as it is here. */
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

/** Loads it as soon as it is wanted; `failure` is fit to show, until it is wanted anew. */
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

/** A part of the app that does not come is the network's fault: browsers say no more of it. */
export function explainLoading(error: unknown): string {
  return error instanceof ApiError ? explainError(error) : 'Не удалось загрузить. Проверьте сеть и попробуйте ещё раз.';
}
