import { apiPrefix } from '#contract/endpoint.ts';
import { type Changes, readEvents } from '#contract/events.ts';
import { setServerTime } from '../lib/server-clock.ts';

export type EventsQuery = NonNullable<typeof readEvents.call>['query'];

export interface StreamListener {
  onChanges: (changes: Changes) => void;
  onFailure: () => void;
}

/** Returns how to close it. Whoever hears of a failure closes it too: the browser would connect again in its own way. */
export function openEventStream(query: EventsQuery, { onChanges, onFailure }: StreamListener): () => void {
  const stream = new EventSource(`${apiPrefix}${readEvents.path}?${new URLSearchParams(query)}`);
  stream.addEventListener('time', ({ data }) => setServerTime(Number(data)));
  stream.addEventListener('message', ({ data }) => onChanges(JSON.parse(data)));
  stream.addEventListener('error', onFailure);
  return () => stream.close();
}
