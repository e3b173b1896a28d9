import { endpoint } from './endpoint.ts';
import type * as schema from './join.schema.ts';

/** Somebody who opens the link of an invitation reads it. */
export const getInvitation = endpoint<typeof schema.getInvitation>('GET /invitations/{code}', 'public', {
  codes: ['NOT_FOUND'],
});

export const checkOwnerLink = endpoint<typeof schema.checkOwnerLink>('GET /owner-links/{code}', 'public', {
  codes: ['NOT_FOUND'],
});

export const becomeOwner = endpoint<typeof schema.becomeOwner>('POST /owner-links/{code}', 'user', {
  codes: ['NOT_FOUND'],
});
