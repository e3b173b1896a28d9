import { Type } from 'typebox';
import { idParams, paging, strict } from './common.schema.ts';
import { fullPost } from './posts.schema.ts';

export const listBookmarks = {
  query: Type.Object({ limit: paging.limit, cursor: paging.cursor }),
  reply: Type.Object({ posts: Type.Array(fullPost), next: Type.Union([Type.String(), Type.Null()]) }, strict),
};
export const getBookmark = {
  params: idParams,
  reply: Type.Object({ saved: Type.Boolean() }, { ...strict, title: 'Bookmark' }),
};
export const saveBookmark = { params: idParams };
export const removeBookmark = { params: idParams };
