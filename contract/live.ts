import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './live.schema.ts';

/** What has happened on the wall between two moments. */
export type Changes = Static<typeof schema.readEvents.reply>;

/** As a stream for who accepts `text/event-stream`, each event being one reply; else what is new, at once. */
export const readEvents = endpoint<typeof schema.readEvents>({
  method: 'GET',
  path: '/events',
  summary: 'Что изменилось на стене',
  access: 'public',
  status: 200,
  streams: true,
  codes: [],
});
