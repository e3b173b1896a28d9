import type { Static } from 'typebox';
import type * as schema from './account.schema.ts';
import { endpoint, verifyCodes } from './endpoint.ts';

export type CurrentUser = Static<typeof schema.currentUser>;
export type PublicUser = Static<typeof schema.publicUser>;
export type KeptData = Static<typeof schema.keptData>;
export type ExportedData = Static<typeof schema.exportedData>;

export const getCurrentUser = endpoint<typeof schema.getCurrentUser>('GET /users/current', 'user', {
  tokenScope: 'read',
});

export const getUser = endpoint<typeof schema.getUser>('GET /users/{username}', 'public', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

export const startEmailChange = endpoint<typeof schema.startEmailChange>('PUT /users/current/email', 'user', {
  status: 201,
  codes: ['EMAIL_ALREADY_EXISTS', 'DEVICE_NOT_CONFIRMED', 'FORBIDDEN'],
});

export const verifyEmailChange = endpoint<typeof schema.verifyEmailChange>(
  'PUT /users/current/email/{id}/verify',
  'user',
  { codes: ['EMAIL_ALREADY_EXISTS', ...verifyCodes, 'FORBIDDEN'] },
);

export const startDeviceConfirmation = endpoint<typeof schema.startDeviceConfirmation>(
  'POST /sessions/current/confirmation',
  'user',
  { status: 201 },
);

export const verifyDeviceConfirmation = endpoint<typeof schema.verifyDeviceConfirmation>(
  'POST /sessions/current/confirmation/{id}/verify',
  'user',
  { codes: verifyCodes },
);

export const checkUsername = endpoint<typeof schema.checkUsername>('GET /users/{username}/validation', 'user', {
  codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
});

export const changeProfile = endpoint<typeof schema.changeProfile>('PATCH /users/current/profile', 'user', {
  codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
});

export const getKeptData = endpoint<typeof schema.getKeptData>('GET /users/current/data', 'user');

export const exportAccount = endpoint<typeof schema.exportAccount>('GET /users/current/export', 'user');

export const startDeletion = endpoint<typeof schema.startDeletion>('POST /users/current/deletion', 'user', {
  status: 201,
  codes: ['FORBIDDEN'],
});

export const verifyDeletion = endpoint<typeof schema.verifyDeletion>(
  'POST /users/current/deletion/{id}/verify',
  'user',
  { codes: verifyCodes },
);
