import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './search.schema.ts';

export type FoundPosts = Static<typeof schema.foundPosts>;

/** With the setting SEARCH=members a visitor gets UNAUTHORIZED. */
export const searchPosts = endpoint<typeof schema.searchPosts>('GET /posts/search', 'public', {
  tokenScope: 'read',
  codes: ['UNAUTHORIZED'],
});
