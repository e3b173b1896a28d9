import { getBookmark, removeBookmark, saveBookmark } from '#contract/bookmarks.ts';
import { follow, getFollow, unfollow } from '#contract/notifications.ts';
import { call } from '../../../lib/api.ts';
import { createPostChoice } from './post-choice.ts';

export const following = createPostChoice({
  subjectOf: ({ id, actions }) => actions.parent_post_id ?? id,
  read: async (id) => (await call(getFollow, { params: { id } })).following,
  write: async (id, chosen) => (await call(chosen ? follow : unfollow, { params: { id } })).following,
  messages: ['Вы следите за обсуждением', 'Вы больше не следите за обсуждением'],
});

export const bookmark = createPostChoice({
  subjectOf: ({ id }) => id,
  read: async (id) => (await call(getBookmark, { params: { id } })).saved,
  async write(id, chosen) {
    await call(chosen ? saveBookmark : removeBookmark, { params: { id } });
    return chosen;
  },
  messages: ['Сохранено', 'Убрано из сохранённого'],
});
