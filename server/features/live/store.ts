import type { Kysely } from 'kysely';
import { countUnread } from '../notifications/store.ts';
import type { Schema } from '../../db/schema.ts';
import { findSessionOwner } from '../sessions/store.ts';
import type { Subscriber } from '../../live/broadcast.ts';
import type { News } from '../../live/news.ts';

/**
 * Counts the unread notifications of each subscriber whose count may have changed. Leaves out subscribers whose session was
 * closed since and those who are blocked.
 */
export async function unreadFor(
  db: Kysely<Schema>,
  subscribers: Iterable<Subscriber>,
  { reset, answered }: News,
): Promise<Map<Subscriber, number>> {
  const unread = new Map<Subscriber, number>();
  const counts = new Map<number, number>();
  for (const subscriber of subscribers) {
    const { viewer } = subscriber;
    if (!viewer || (!reset && !answered.has(viewer.userId))) continue;
    const owner = await findSessionOwner(db, viewer.sessionId);
    if (owner?.user_id !== viewer.userId || owner.blocked_at !== null) continue;
    const count = counts.get(viewer.userId) ?? (await countUnread(db, viewer.userId));
    counts.set(viewer.userId, count);
    unread.set(subscriber, count);
  }
  return unread;
}
