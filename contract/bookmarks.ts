import { endpoint } from './endpoint.ts';
import type * as schema from './bookmarks.schema.ts';

export const listBookmarks = endpoint<typeof schema.listBookmarks>('GET /users/current/bookmarks', 'user', {
  tokenScope: 'read',
});

export const getBookmark = endpoint<typeof schema.getBookmark>('GET /posts/{id}/bookmark', 'user', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

export const saveBookmark = endpoint<typeof schema.saveBookmark>('PUT /posts/{id}/bookmark', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

export const removeBookmark = endpoint<typeof schema.removeBookmark>('DELETE /posts/{id}/bookmark', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});
