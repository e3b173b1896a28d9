import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useOnDemand } from '../lib/on-demand.ts';
import type { WayIn } from './way-in.ts';

const never = () => () => {};

/** The way in as soon as it is here. The address typed, or sent, before that goes with it. */
export function useWayIn(wayIn: WayIn, open: boolean) {
  const { thing, failure, retry } = useOnDemand(wayIn, open);
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const flow = thing?.flow;
  const state = useSyncExternalStore(
    flow?.subscribe ?? never,
    () => flow?.state(),
    () => undefined,
  );

  const handOver = useEffectEvent(() => {
    if (email !== '') flow?.setEmail(email);
    if (sent) void flow?.submitEmail();
  });
  useLayoutEffect(() => handOver(), [flow]);

  useEffect(() => {
    if (open) flow?.open();
  }, [open, flow]);

  const typing = {
    email,
    error: failure,
    busy: sent && failure === null,
    onType: setEmail,
    async onSubmit() {
      setSent(true);
      retry();
    },
  };
  return { here: thing && state && { ...thing, state }, typing };
}
