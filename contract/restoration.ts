import { endpoint } from './endpoint.ts';
import type * as schema from './posts.schema.ts';

/** Time in which the author of a deleted post can restore it. */
export const undoSeconds = 300;

/** Within `undoSeconds` of the deletion, with its likes and replies; later, and for anybody else, NOT_FOUND. */
export const restorePost = endpoint<typeof schema.restorePost>({
  method: 'POST',
  path: '/posts/{id}/restoration',
  summary: 'Вернуть запись, которую вы удалили не больше пяти минут назад',
  access: 'user',
  programs: 'write',
  status: 200,
  codes: ['NOT_FOUND'],
});
