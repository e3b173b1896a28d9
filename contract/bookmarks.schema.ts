import { Type } from 'typebox';
import { idParams, named, nullable, object, paging } from './common.schema.ts';
import { fullPost } from './posts.schema.ts';

export const listBookmarks = {
  query: Type.Object({ limit: paging.limit, cursor: paging.cursor }),
  reply: object({ posts: Type.Array(fullPost), next: nullable(Type.String()) }),
};
export const getBookmark = {
  params: idParams,
  reply: named('Bookmark', { saved: Type.Boolean() }),
};
export const saveBookmark = { params: idParams };
export const removeBookmark = { params: idParams };
