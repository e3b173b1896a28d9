import { endpoint } from './endpoint.ts';
import type * as schema from './suggestions.schema.ts';

export const listSuggestions = endpoint<typeof schema.listSuggestions>('GET /users/suggestions', 'user', {
  tokenScope: 'read',
});
