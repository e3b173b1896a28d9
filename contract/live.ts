import { Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import * as values from './example-values.ts';
import { serverLimits } from './limits.ts';
import { edited, rule } from './post-schemas.ts';
import { readingPosition } from './account.ts';
import { count, id, named, nullable, object } from './schemas.ts';

const changes = named('Changes', {
  /** The position after these changes. When it is sent as `after` or Last-Event-ID, the next response continues here. */
  position: Type.String(),
  /** There are more changes than a response may contain, or some are not known any more, so the browser must reload its content. */
  reset: Type.Boolean(),
  posts: Type.Array(object({ id, owner_id: id })),
  /** New replies to the posts named in the request, and to any post of the discussions of named root posts. */
  replies: Type.Array(object({ id, owner_id: id, replied_post_id: id, parent_post_id: id })),
  changed: Type.Array(object({ id, ...edited })),
  deleted: Type.Array(id),
  /** Posts that were deleted or removed and have been restored. Pages that had shown them show them again. */
  restored: Type.Optional(Type.Array(id)),
  /** Root posts of discussions that a reply has moved to the top of the list of discussions. */
  lifted: Type.Optional(Type.Array(id)),
  /** Root posts whose rule about replies has changed, with the new rule. An item with only an id has no rule any more. */
  rules: Type.Optional(Type.Array(object({ id, ...rule }))),
  /** Another post was pinned above the feed, or the pinned post was unpinned. */
  pinned: Type.Optional(Type.Literal(true)),
  counts: Type.Array(object({ id, likes_count: count, replies_count: count, thread_count: nullable(count) })),
  /** The number of unread notifications and unseen removals. Sent to signed-in people in the first event and when it may have changed. */
  unread: Type.Optional(count),
  /**
   * Reading positions of the person: in the first event those of the feed and of the posts in the request, later those that were
   * moved on any device. A position never moves back, so the furthest received one is valid.
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
      posts: Type.Optional(Type.String({ pattern: `^[^,]{1,20}(,[^,]{1,20}){0,${serverLimits.watchedPosts - 1}}$` })),
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
