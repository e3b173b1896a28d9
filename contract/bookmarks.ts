import { endpoint } from './endpoint.ts';
import type * as schema from './bookmarks.schema.ts';

export const listBookmarks = endpoint<typeof schema.listBookmarks>({
  method: 'GET',
  path: '/users/current/bookmarks',
  access: 'user',
  tokenScope: 'read',
});

export const getBookmark = endpoint<typeof schema.getBookmark>({
  method: 'GET',
  path: '/posts/{id}/bookmark',
  access: 'user',
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

export const saveBookmark = endpoint<typeof schema.saveBookmark>({
  method: 'PUT',
  path: '/posts/{id}/bookmark',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['NOT_FOUND'],
});

export const removeBookmark = endpoint<typeof schema.removeBookmark>({
  method: 'DELETE',
  path: '/posts/{id}/bookmark',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['NOT_FOUND'],
});
