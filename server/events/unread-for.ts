import type { Kysely } from 'kysely';
import { countUnread } from '../answers/store.ts';
import type { Schema } from '../db/schema.ts';
import { findSessionOwner } from '../sessions/store.ts';
import type { Reader } from './broadcast.ts';
import type { News } from './news.ts';

/**
 * What each of the readers whom the news concern has not read. Whose session was closed meanwhile, or who is
 * blocked, is told nothing.
 */
export async function unreadFor(
  db: Kysely<Schema>,
  readers: Iterable<Reader>,
  { reset, answered }: News,
): Promise<Map<Reader, number>> {
  const unread = new Map<Reader, number>();
  const counts = new Map<number, number>();
  for (const reader of readers) {
    const { viewer } = reader;
    if (!viewer || (!reset && !answered.has(viewer.userId))) continue;
    const owner = await findSessionOwner(db, viewer.sessionId);
    if (owner?.user_id !== viewer.userId || owner.blocked_at !== null) continue;
    const count = counts.get(viewer.userId) ?? (await countUnread(db, viewer.userId));
    counts.set(viewer.userId, count);
    unread.set(reader, count);
  }
  return unread;
}
