import { endpoint } from './endpoint.ts';
import type * as schema from './join.schema.ts';

/** What somebody reads who opens the link of an invitation. */
export const getInvitation = endpoint<typeof schema.getInvitation>({
  method: 'GET',
  path: '/invitations/{code}',
  access: 'public',
  codes: ['NOT_FOUND'],
});

export const checkOwnerLink = endpoint<typeof schema.checkOwnerLink>({
  method: 'GET',
  path: '/owner-links/{code}',
  access: 'public',
  status: 204,
  codes: ['NOT_FOUND'],
});

export const becomeOwner = endpoint<typeof schema.becomeOwner>({
  method: 'POST',
  path: '/owner-links/{code}',
  access: 'user',
  status: 204,
  codes: ['NOT_FOUND'],
});
