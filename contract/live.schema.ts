import { Type } from 'typebox';
import { id, strict } from './common.schema.ts';
import { limits } from './limits.ts';

const count = Type.Integer({ minimum: 0 });

const changes = Type.Object(
  {
    /** Up to where this tells; sent back as `after` or Last-Event-ID, the next answer goes on from here. */
    position: Type.String(),
    /** More was missed than can be told: what is shown must be read anew. */
    reset: Type.Boolean(),
    /** New root posts. */
    posts: Type.Array(Type.Object({ id, owner_id: id }, strict)),
    /** New replies to the posts that were named, and all that are new in the discussions of named root posts. */
    replies: Type.Array(Type.Object({ id, owner_id: id, replied_post_id: id, parent_post_id: id }, strict)),
    changed: Type.Array(Type.Object({ id, text: Type.String(), is_modified: Type.Boolean() }, strict)),
    deleted: Type.Array(id),
    counts: Type.Array(
      Type.Object(
        { id, likes_count: count, replies_count: count, thread_count: Type.Union([count, Type.Null()]) },
        strict,
      ),
    ),
    /** How many answers the asker has not read: told to a signed-in person at first and whenever it may have changed. */
    unread: Type.Optional(count),
  },
  { ...strict, title: 'Changes' },
);

export const readEvents = {
  query: Type.Object({
    /** Ids of the posts whose replies to hear of, parted by commas. */
    posts: Type.Optional(Type.String({ pattern: `^[^,]{1,20}(,[^,]{1,20}){0,${limits.watchedPosts - 1}}$` })),
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  }),
  /** Any position: where an unknown one leads to is read anew. */
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  reply: changes,
};
