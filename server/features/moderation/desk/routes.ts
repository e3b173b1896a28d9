import type { FastifyInstance } from 'fastify';
import { confirmationRoutes } from './confirmation-routes.ts';
import { makeActor } from './http.ts';
import { journalRoutes } from './journal-routes.ts';
import { branchRoutes } from './branch-routes.ts';
import { type InvitationOptions, invitationRoutes } from './invitation-routes.ts';
import { joinRoutes } from './join-routes.ts';
import { pendingRoutes } from './pending-routes.ts';
import { personRoutes } from './person-routes.ts';
import { postRoutes } from './post-routes.ts';

/** The moderation desk. Its acts are those of the command line; who may call it is decided with the session. */
export function deskRoutes(app: FastifyInstance, options: InvitationOptions): void {
  const desk = { ...options, actor: makeActor(options) };
  postRoutes(app, desk);
  pendingRoutes(app, desk);
  personRoutes(app, desk);
  journalRoutes(app, desk);
  confirmationRoutes(app, options);
  branchRoutes(app, desk);
  joinRoutes(app, options);
  invitationRoutes(app, options);
}
