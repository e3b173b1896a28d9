import type * as schema from './account.schema.ts';
import { endpoint } from './endpoint.ts';

/** The person has read the warning of a moderator. Repeating it changes nothing. */
export const readWarning = endpoint<typeof schema.readWarning>({
  method: 'DELETE',
  path: '/users/current/warning',
  access: 'user',
  status: 204,
});
