import { Type } from 'typebox';
import { count, id, named, nullable, object } from './common.schema.ts';
import { limits } from './limits.ts';
import { readingPosition } from './reading.schema.ts';
import { edited } from './posts.schema.ts';

const changes = named('Changes', {
  /** The position after these changes. Sent as `after` or Last-Event-ID, it makes the next response continue here. */
  position: Type.String(),
  /** There are more changes than a response may contain; the browser must load what it shows again. */
  reset: Type.Boolean(),
  /** New root posts. */
  posts: Type.Array(object({ id, owner_id: id })),
  /** New replies to the posts named in the request, and to any post of the discussions of named root posts. */
  replies: Type.Array(object({ id, owner_id: id, replied_post_id: id, parent_post_id: id })),
  changed: Type.Array(object({ id, ...edited })),
  deleted: Type.Array(id),
  /** Posts that were deleted or removed, and are on the wall again. Pages that have shown them show them again. */
  restored: Type.Optional(Type.Array(id)),
  /** Root posts whose discussions a reply has lifted. */
  lifted: Type.Optional(Type.Array(id)),
  counts: Type.Array(object({ id, likes_count: count, replies_count: count, thread_count: nullable(count) })),
  /** The number of unread notifications. Sent to signed-in people in the first event and when it may have changed. */
  unread: Type.Optional(count),
  /**
   * How far the person has read: in the first event for the feed and the posts named in the request, later what moved
   * on any device. A position never moves back, so the furthest one received counts.
   */
  reading: Type.Optional(Type.Array(readingPosition)),
});

export const readEvents = {
  query: Type.Object({
    /** Ids of the posts whose new replies are reported, separated by commas. */
    posts: Type.Optional(Type.String({ pattern: `^[^,]{1,20}(,[^,]{1,20}){0,${limits.watchedPosts - 1}}$` })),
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  }),
  /** Any string is accepted. An unknown position leads to a response with `reset`. */
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  reply: changes,
};
