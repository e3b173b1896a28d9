import { useEffect } from 'react';
import { call } from '../../../lib/api.ts';
import { useObservable } from '../../../lib/observable.ts';
import { whenIdle } from '../../../lib/waits.ts';
import { useSessionState } from '../../session/session.ts';
import type { Beside, PostStore } from './post-store.ts';
import { usePostStore } from './use-posts.ts';

/** The request waits at most this long for an idle browser, so that it does not delay the page. */
const idleWithinMs = 2_000;

let asked: Promise<void> | undefined;

/** Two components of a page that ask at the same time share a request. After a failure the next page asks again. */
const load = (store: PostStore): Promise<void> =>
  (asked ??= whenIdle(idleWithinMs)
    .then(() => call('GET /posts/discussed', { query: { limit: '1', aside: 'true' } }))
    .then(store.setBeside)
    .catch(() => {})
    .finally(() => (asked = undefined)));

/** The data of the right column. The HTML of the feed contains it. With `isWanted` it is requested on other pages. */
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
