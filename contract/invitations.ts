import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './invitations.schema.ts';

/** The links by which a member invites others. */
export type Invitations = Static<typeof schema.invitations>;

export const listInvitations = endpoint<typeof schema.listInvitations>('GET /users/current/invitations', 'user');

export const makeInvitation = endpoint<typeof schema.makeInvitation>('POST /users/current/invitations', 'user', {
  status: 201,
  codes: ['FORBIDDEN'],
});

export const endInvitation = endpoint<typeof schema.endInvitation>('DELETE /users/current/invitations/{id}', 'user', {
  codes: ['NOT_FOUND'],
});
