import type { FastifyInstance } from 'fastify';
import type { SessionOptions } from '../../sessions/http.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { makeActor } from './http.ts';
import { journalRoutes } from './journal-routes.ts';
import { joinRoutes } from './join-routes.ts';
import { pendingRoutes } from './pending-routes.ts';
import { personRoutes } from './person-routes.ts';
import { postRoutes } from './post-routes.ts';

/** The moderation desk. Its acts are those of the command line; who may call it is decided with the session. */
export function deskRoutes(app: FastifyInstance, options: SessionOptions): void {
  const desk = { ...options, actor: makeActor(options) };
  postRoutes(app, desk);
  pendingRoutes(app, desk);
  personRoutes(app, desk);
  journalRoutes(app, desk);
  confirmationRoutes(app, options);
  joinRoutes(app, options);
}
