import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { explainLoading, onDemand } from '../../../lib/on-demand.ts';
import { showToast } from '../../../lib/toasts.ts';
import { onWalkSiblings } from '../../shortcuts/walk-siblings.ts';
import type { PostListId } from '../store/post-store.ts';
import { usePostStore } from '../store/use-posts.ts';
import { firstSpan, type Span } from './first-span.ts';
import type { ThreadControl } from './thread-control.ts';
import { showOrder } from './thread-order.ts';

/** Loaded after the first page: reading the first replies does not need it. */
const threadControl = onDemand(() => import('./thread-control.ts'));

/** Acts on a discussion once the code for it is loaded. */
export function useThreadControl(listId: PostListId) {
  const store = usePostStore();
  const feed = useRef<HTMLDivElement>(null);
  const running = useRef<ThreadControl>(null);
  const [part, setPart] = useState(threadControl.here);
  const [span, setSpan] = useState<Span | null>(() => firstSpan(store, listId));
  const [busy, setBusy] = useState<string | null>(null);

  useEffect(() => {
    let hasLeft = false;
    threadControl.load().then((loaded) => !hasLeft && setPart(loaded), showOrder);
    return () => {
      hasLeft = true;
    };
  }, []);

  useLayoutEffect(() => {
    if (!part) return undefined;
    const it = part.controlThread({ store, listId, feed, setSpan, setBusy });
    running.current = it;
    return () => it.stop();
  }, [part, store, listId]);

  useLayoutEffect(() => running.current?.rendered());

  const control = useCallback((act: (it: ThreadControl) => void) => {
    const run = async () => {
      try {
        const loaded = await threadControl.load();
        flushSync(() => setPart(loaded));
        act(running.current!);
      } catch (error) {
        showToast(explainLoading(error));
      }
    };
    void run();
  }, []);
  // The key may be pressed while the code is loading.
  useEffect(() => onWalkSiblings((step) => control((it) => it.walkSiblings(step))));

  return { feed, span, busy, control };
}
