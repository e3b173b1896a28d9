import type { FastifyInstance } from 'fastify';
import * as schema from '#contract/join.schema.ts';
import * as join from '#contract/join.ts';
import { orNotFound } from '../../../http/requests.ts';
import { serve } from '../../../http/serve.ts';
import { findCurrentUser } from '../../account/store.ts';
import { type SessionOptions, sessionCallerOf } from '../../sessions/http.ts';
import { findInviter } from '../invites.ts';
import { actBecomeOwner, isOwnerCode } from '../owner-link.ts';
import { hasOwner } from '../roles.ts';
import { actIdOf } from './http.ts';

/** The links of invitations, and the one that makes its reader the first owner of a wall. */
export function joinRoutes(app: FastifyInstance, { db, secrets, security, now }: SessionOptions): void {
  const asOwnerCode = (code: string) => orNotFound(isOwnerCode(secrets, code, now()) ? code : undefined);

  serve(app, join.getInvitation, schema.getInvitation, async ({ params }) => ({
    inviter: orNotFound(await findInviter(db.read, params.code)),
  }));

  serve(app, join.checkOwnerLink, schema.checkOwnerLink, async ({ params }) => {
    asOwnerCode(params.code);
    orNotFound((await hasOwner(db.read)) ? undefined : params);
  });

  serve(app, join.becomeOwner, schema.becomeOwner, async ({ params, request }) => {
    asOwnerCode(params.code);
    const { userId } = sessionCallerOf(request);
    await db.tx(async (tx) => {
      const { username } = orNotFound(await findCurrentUser(tx.db, userId));
      actIdOf(await actBecomeOwner(tx, { id: userId, username }, now()));
    });
    security.note('became-owner', request, { user: userId });
  });
}
