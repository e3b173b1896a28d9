import type { Static } from 'typebox';
import type * as schema from './account.schema.ts';
import { endpoint } from './endpoint.ts';

export type CurrentUser = Static<typeof schema.currentUser>;
export type PublicUser = Static<typeof schema.publicUser>;

export const getCurrentUser = endpoint<typeof schema.getCurrentUser>({
  method: 'GET',
  path: '/users/current',
  access: 'user',
  tokenScope: 'read',
});

export const getUser = endpoint<typeof schema.getUser>({
  method: 'GET',
  path: '/users/{username}',
  access: 'public',
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

export const startEmailChange = endpoint<typeof schema.startEmailChange>({
  method: 'PUT',
  path: '/users/current/email',
  access: 'user',
  status: 201,
  codes: ['EMAIL_ALREADY_EXISTS', 'DEVICE_NOT_CONFIRMED', 'FORBIDDEN'],
});

export const verifyEmailChange = endpoint<typeof schema.verifyEmailChange>({
  method: 'PUT',
  path: '/users/current/email/{id}/verify',
  access: 'user',
  codes: ['EMAIL_ALREADY_EXISTS', 'INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED', 'FORBIDDEN'],
});

export const startDeviceConfirmation = endpoint<typeof schema.startDeviceConfirmation>({
  method: 'POST',
  path: '/sessions/current/confirmation',
  access: 'user',
  status: 201,
});

export const verifyDeviceConfirmation = endpoint<typeof schema.verifyDeviceConfirmation>({
  method: 'POST',
  path: '/sessions/current/confirmation/{id}/verify',
  access: 'user',
  status: 204,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'],
});

export const checkUsername = endpoint<typeof schema.checkUsername>({
  method: 'GET',
  path: '/users/{username}/validation',
  access: 'user',
  codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
});

export const changeProfile = endpoint<typeof schema.changeProfile>({
  method: 'PATCH',
  path: '/users/current/profile',
  access: 'user',
  codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
});

export const exportAccount = endpoint<typeof schema.exportAccount>({
  method: 'GET',
  path: '/users/current/export',
  access: 'user',
});

export const startDeletion = endpoint<typeof schema.startDeletion>({
  method: 'POST',
  path: '/users/current/deletion',
  access: 'user',
  status: 201,
  codes: ['FORBIDDEN'],
});

export const verifyDeletion = endpoint<typeof schema.verifyDeletion>({
  method: 'POST',
  path: '/users/current/deletion/{id}/verify',
  access: 'user',
  status: 204,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED'],
});
