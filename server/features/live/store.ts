import type { Kysely } from 'kysely';
import { countUnread } from '../notifications/store.ts';
import { nameOf } from '../reading/rules.ts';
import { positionsOf } from '../reading/store.ts';
import type { Schema } from '../../db/schema.ts';
import { findTokenOwner } from '../api-tokens/store.ts';
import { findSessionOwner } from '../sessions/store.ts';
import type { OwnNews, Subscriber } from '../../live/broadcast.ts';
import { listsFor } from '../../live/own-changes.ts';
import type { Own } from '../../live/news.ts';

/** The part of a person's first event and of each response to a poll besides the changes of the wall. */
export async function currentOwn(db: Kysely<Schema>, userId: number, watched: readonly string[]): Promise<Own> {
  return { unread: await countUnread(db, userId), ...(await readingOf(db, userId, listsFor(watched))) };
}

async function readingOf(db: Kysely<Schema>, userId: number, lists: readonly number[]): Promise<Pick<Own, 'reading'>> {
  const positions = await positionsOf(db, userId, lists);
  return { reading: positions.map(({ list, post_id }) => ({ list: nameOf(list), post_id: String(post_id) })) };
}

/** Leaves out subscribers whose session or token was ended since and those who are blocked. */
export const ownNews: OwnNews = async (db, subscribers, changes) =>
  changes.size === 0
    ? new Map()
    : ownFor(db, subscribers, async (userId) => {
        const change = changes.get(userId);
        return (
          change && {
            ...(change.unread && { unread: await countUnread(db, userId) }),
            ...(change.lists.size > 0 && (await readingOf(db, userId, [...change.lists]))),
          }
        );
      });

/** Visitors, people whose session or token was ended, and those who are blocked: on a closed wall they get nothing. */
export async function outsidersAmong(
  db: Kysely<Schema>,
  subscribers: readonly Subscriber[],
): Promise<readonly Subscriber[]> {
  const keyOf = ({ viewer }: Subscriber) =>
    viewer && ('sessionId' in viewer ? `s${viewer.sessionId}` : `t${viewer.tokenId}`);
  const idsOf = (kind: string) =>
    subscribers.flatMap((each) => (keyOf(each)?.startsWith(kind) ? Number(keyOf(each)!.slice(1)) : []));
  const open = async (kind: 's' | 't', table: 'sessions' | 'program_tokens'): Promise<string[]> => {
    const ids = idsOf(kind);
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom(table)
      .innerJoin('users', 'users.id', `${table}.user_id`)
      .select(`${table}.id`)
      .where(`${table}.id`, 'in', ids)
      .where('users.blocked_at', 'is', null)
      .execute();
    return rows.map(({ id }) => `${kind}${id}`);
  };
  const valid = new Set((await Promise.all([open('s', 'sessions'), open('t', 'program_tokens')])).flat());
  return subscribers.filter((each) => !valid.has(keyOf(each) ?? ''));
}

/** Reads once for each person. */
async function ownFor(
  db: Kysely<Schema>,
  subscribers: Iterable<Subscriber>,
  read: (userId: number) => Promise<Own | undefined>,
): Promise<Map<Subscriber, Own>> {
  const found = new Map<Subscriber, Own>();
  const byPerson = new Map<number, Own | undefined>();
  for (const subscriber of subscribers) {
    const { viewer } = subscriber;
    if (!viewer) continue;
    if (!byPerson.has(viewer.userId)) byPerson.set(viewer.userId, await read(viewer.userId));
    const own = byPerson.get(viewer.userId);
    if (!own) continue;
    const owner =
      'sessionId' in viewer ? await findSessionOwner(db, viewer.sessionId) : await findTokenOwner(db, viewer.tokenId);
    if (owner?.user_id === viewer.userId && owner.blocked_at === null) found.set(subscriber, own);
  }
  return found;
}
