import type { Kysely } from 'kysely';
import type { Post } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { lockSetting, putSetting } from '../../db/wall-setting-rows.ts';
import { recordChange } from '../../live/change-log.ts';
import { type PostRow, selectRootPosts, toPost } from '../posts/post-rows.ts';

/** The pinned post above the feed: a setting of the wall. */
export interface Pin {
  post: number;
  /** Unix seconds; null: until it is unpinned. */
  until: number | null;
}

const key = 'pin';

const pinSetting = prepared<object, { value: string }>((db) =>
  db.selectFrom('wall_settings').select('value').where('key', '=', key),
);

const rootPost = prepared<{ id: number }, PostRow>((db, slot) => selectRootPosts(db).where('p.id', '=', slot('id')));

export const isPinned = (pin: Pin | null, now: number): pin is Pin =>
  pin !== null && (pin.until === null || pin.until > now);

/** The pinned post; undefined while nothing is pinned, or the pinned post is removed or deleted. */
export async function findPinned(
  db: Kysely<Schema>,
  now: number,
): Promise<{ post: Post; until: number | null } | undefined> {
  const [setting] = await pinSetting(db, {});
  const pin = setting ? (JSON.parse(setting.value) as Pin | null) : null;
  if (!isPinned(pin, now)) return undefined;
  const [row] = await rootPost(db, { id: pin.post });
  return row && { post: toPost(row), until: pin.until };
}

/** Locks the setting until the end of the transaction. */
export async function lockPin(tx: Tx): Promise<Pin | null> {
  return JSON.parse(await lockSetting(tx, key)) as Pin | null;
}

export async function setPin(tx: Tx, pin: Pin | null, now: number): Promise<void> {
  await putSetting(tx, key, JSON.stringify(pin));
  await notePin(tx, now);
}

/** Tells event streams and caches that the pinned post has changed. */
export async function notePin(tx: Tx, now: number): Promise<void> {
  await recordChange(tx, { kind: 'pinned', postId: 0, ownerId: 0, repliedTo: null, rootId: null, now });
  tx.touch('feed');
}
