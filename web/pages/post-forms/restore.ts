import { restorePost, tooLate } from '../../features/session/own-calls.ts';
import type { Act } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';

export const restore: Act = async ({ call }, { id = '' }) => {
  try {
    return { message: 'Возвращено', restoredPost: await restorePost(call, id) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { message: tooLate };
  }
};
