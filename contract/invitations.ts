import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './invitations.schema.ts';

/** The links by which a member invites others. */
export type Invitations = Static<typeof schema.invitations>;

export const listInvitations = endpoint<typeof schema.listInvitations>({
  method: 'GET',
  path: '/users/current/invitations',
  access: 'user',
});

export const makeInvitation = endpoint<typeof schema.makeInvitation>({
  method: 'POST',
  path: '/users/current/invitations',
  access: 'user',
  status: 201,
  codes: ['FORBIDDEN'],
});

export const endInvitation = endpoint<typeof schema.endInvitation>({
  method: 'DELETE',
  path: '/users/current/invitations/{id}',
  access: 'user',
  codes: ['NOT_FOUND'],
});
