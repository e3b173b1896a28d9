import { useState, useSyncExternalStore } from 'react';
import { type ConfirmationOptions, createConfirmationFlow } from './confirmation-flow.ts';

export function useConfirmation<Confirmed>(options: ConfirmationOptions<Confirmed>) {
  const [flow] = useState(() => createConfirmationFlow(options));
  const state = useSyncExternalStore(flow.subscribe, flow.state);
  return { flow, state };
}
