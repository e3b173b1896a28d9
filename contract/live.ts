import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './live.schema.ts';

/** The changes of the wall between two positions. */
export type Changes = Static<typeof schema.readEvents.reply>;

/** An event stream for clients that accept `text/event-stream`; for others, one response with the changes so far. */
export const readEvents = endpoint<typeof schema.readEvents>('GET /events', 'public', {
  tokenScope: 'read',
  streams: true,
});
