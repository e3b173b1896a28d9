import { endpoint } from './endpoint.ts';
import type * as schema from './suggestions.schema.ts';

export const listSuggestions = endpoint<typeof schema.listSuggestions>({
  method: 'GET',
  path: '/users/suggestions',
  access: 'user',
  tokenScope: 'read',
});
