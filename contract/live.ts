import { Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import * as values from './example-values.ts';
import { limits } from './limits.ts';
import { edited, rule } from './post-schemas.ts';
import { readingPosition } from './account.ts';
import { count, id, named, nullable, object } from './schemas.ts';

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
  /** Root posts whose rule about replies has changed, each with its present rule. A post with an id alone has no rule any more. */
  rules: Type.Optional(Type.Array(object({ id, ...rule }))),
  /** Another post is pinned above the feed, or none any more. */
  pinned: Type.Optional(Type.Literal(true)),
  counts: Type.Array(object({ id, likes_count: count, replies_count: count, thread_count: nullable(count) })),
  /** The number of unread notifications and unseen removals. Sent to signed-in people in the first event and when it may have changed. */
  unread: Type.Optional(count),
  /**
   * How far the person has read: in the first event for the feed and the posts named in the request, later what moved
   * on any device. A position never moves back, so the furthest one received counts.
   */
  reading: Type.Optional(Type.Array(readingPosition)),
});

/** The changes of the wall between two positions. */
export type Changes = TypesOf<typeof liveCalls>['GET /events']['reply'];

export const liveCalls = {
  /** An event stream for clients that accept `text/event-stream`; for others, one response with the changes so far. */
  'GET /events': call({
    name: 'readEvents',
    says: 'Что изменилось на стене',
    access: 'public',
    scope: 'read',
    streams: true,
    query: Type.Object({
      /** Ids of the posts whose new replies are reported, separated by commas. */
      posts: Type.Optional(Type.String({ pattern: `^[^,]{1,20}(,[^,]{1,20}){0,${limits.watchedPosts - 1}}$` })),
      after: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
    }),
    /** Any string is accepted. An unknown position leads to a response with `reset`. */
    headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
    reply: changes,
    example: {
      query: { posts: values.otherPostId },
      reply: {
        position: '90210',
        reset: false,
        posts: [{ id: values.ownPost.id, owner_id: values.ownPost.owner.id }],
        replies: [
          {
            id: values.reply.id,
            owner_id: values.reply.owner.id,
            replied_post_id: values.otherPostId,
            parent_post_id: values.otherPostId,
          },
        ],
        changed: [{ id: values.ownPost.id, text: values.ownPost.text, is_modified: true, modified_at: values.at + 60 }],
        deleted: ['1011'],
        counts: [{ id: values.otherPostId, likes_count: 3, replies_count: 1, thread_count: 1 }],
      },
    },
  }),
};
