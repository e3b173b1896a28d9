import * as accountSchema from './account.schema.ts';
import * as account from './account.ts';
import * as notificationsSchema from './notifications.schema.ts';
import * as notifications from './notifications.ts';
import * as documentsSchema from './documents.schema.ts';
import * as documents from './documents.ts';
import * as authSchema from './sign-in.schema.ts';
import * as auth from './sign-in.ts';
import type { CallSchemas, Endpoint } from './endpoint.ts';
import * as eventsSchema from './live.schema.ts';
import * as events from './live.ts';
import * as moderationSchema from './moderation.schema.ts';
import * as moderation from './moderation.ts';
import * as mutesSchema from './mutes.schema.ts';
import * as mutes from './mutes.ts';
import * as postsSchema from './posts.schema.ts';
import * as posts from './posts.ts';
import * as readingSchema from './reading.schema.ts';
import * as reading from './reading.ts';
import * as reportsSchema from './reports.schema.ts';
import * as reports from './reports.ts';
import * as searchSchema from './search.schema.ts';
import * as search from './search.ts';
import * as sessionsSchema from './sessions.schema.ts';
import * as sessions from './sessions.ts';
import * as users from './users.ts';

interface Area {
  name: string;
  endpoints: Record<string, Endpoint>;
  /** The schemas of the calls, by the names of the calls, and parts of schemas. */
  schemas: Record<string, unknown>;
}

const areas: Area[] = [
  { name: 'auth', endpoints: auth, schemas: authSchema },
  { name: 'sessions', endpoints: sessions, schemas: sessionsSchema },
  { name: 'account', endpoints: { ...users, ...account }, schemas: accountSchema },
  { name: 'notifications', endpoints: notifications, schemas: notificationsSchema },
  { name: 'mutes', endpoints: mutes, schemas: mutesSchema },
  { name: 'posts', endpoints: posts, schemas: postsSchema },
  { name: 'reading', endpoints: reading, schemas: readingSchema },
  { name: 'search', endpoints: search, schemas: searchSchema },
  { name: 'events', endpoints: events, schemas: eventsSchema },
  { name: 'documents', endpoints: documents, schemas: documentsSchema },
  { name: 'reports', endpoints: reports, schemas: reportsSchema },
  { name: 'moderation', endpoints: moderation, schemas: moderationSchema },
];

/** All calls of the contract, from which the OpenAPI document is made. A call's endpoint and schemas have the same name. */
export const table = areas.flatMap(({ name: area, endpoints, schemas }) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({
    area,
    name,
    endpoint,
    schemas: schemas[name] as CallSchemas,
  })),
);
