import { useEffect } from 'react';
import { call } from '../../../lib/api.ts';
import { useObservable } from '../../../lib/observable.ts';
import { whenIdle } from '../../../lib/waits.ts';
import { useSessionState } from '../../session/session.ts';
import type { Beside, PostStore } from './post-store.ts';
import { usePostStore } from './use-posts.ts';

/** Reading comes first. */
const idleWithinMs = 2_000;

let asked: Promise<void> | undefined;

/** Two places of a page ask at the same time. What fails is asked for by the next page. */
const load = (store: PostStore): Promise<void> =>
  (asked ??= whenIdle(idleWithinMs)
    .then(() => call('GET /posts/discussed', { query: { limit: '1', aside: 'true' } }))
    .then(store.setBeside)
    .catch(() => {})
    .finally(() => (asked = undefined)));

/** What stands beside the lists. The HTML of the feed has it; a page that came without it asks, if it is wanted. */
export function useBeside(isWanted: boolean): Beside {
  const store = usePostStore();
  const beside = useObservable(store.content, (content) => content.beside());
  const isKnown = useSessionState().is !== 'authorizing';
  const isMissing = isWanted && isKnown && beside.aside === undefined;
  useEffect(() => {
    if (isMissing) void load(store);
  }, [isMissing, store]);
  return beside;
}
