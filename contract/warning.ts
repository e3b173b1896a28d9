import type * as schema from './account.schema.ts';
import { endpoint } from './endpoint.ts';

/** The person has read the warning of a moderator. Repeating it changes nothing. */
export const readWarning = endpoint<typeof schema.readWarning>('DELETE /users/current/warning', 'user');
