import { type Kysely, sql } from 'kysely';
import type { BestPeriod, Post } from '#contract/posts.ts';
import { limitOf } from '#contract/limits.ts';
import { parseId } from '../../db/ids.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotBlocked } from '../../db/visibility.ts';
import type { ListQuery } from '../posts/post-rules.ts';
import { hidesOf } from '../words/word-store.ts';
import { top } from './list-pages.ts';
import { type PostRow, selectPosts, toPost } from '../posts/post-rows.ts';

/** The key of a post in the list: the number of people, then the id. A part of the list continues below a key. */
interface BestKey {
  people: number;
  id: number;
}

export interface BestPart {
  period: BestPeriod;
  below: BestKey;
  limit: number;
  /** Part of the key in the response cache. */
  key: string;
}

const first: BestKey = { people: 2 ** 31 - 1, id: top };

/** Undefined for a malformed cursor. */
export function readBestPart({
  period = 'week',
  cursor,
  ...asked
}: Pick<ListQuery, 'cursor' | 'limit'> & { period?: BestPeriod }): BestPart | undefined {
  const limit = limitOf(asked);
  const [, people, last = ''] = /^(\d{1,9})-(\d{1,16})$/.exec(cursor ?? '') ?? [];
  const id = parseId(last);
  if (cursor !== undefined && id === undefined) return undefined;
  const below = id === undefined ? first : { people: Number(people), id };
  return { period, below, limit, key: `${period} ${cursor ?? ''}/${limit}` };
}

const byPeople = prepared<BestKey & { period: BestPeriod; limit: number }, PostRow & { people: number }>((db, slot) =>
  selectPosts(db)
    .innerJoin('best_posts as b', 'b.post_id', 'p.id')
    .select('b.people')
    .where('b.period', '=', slot('period'))
    .where(sql<boolean>`(b.people, b.post_id) < (${slot('people')}, ${slot('id')})`)
    .where(isNotBlocked('u'))
    .orderBy('b.people', 'desc')
    .orderBy('b.post_id', 'desc')
    .limit(sql<number>`${slot('limit')} + 0`),
);

/** The posts of a period by number of people, as the last run of the job `keep-best` has counted them. */
export async function listBest(
  db: Kysely<Schema>,
  { period, below, limit }: Omit<BestPart, 'key'>,
): Promise<{ posts: Post[]; next: string | null }> {
  const rows = await byPeople(db, { period, ...below, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    posts: shown.map(toPost),
    next: last && rows.length > limit ? `${last.people}-${last.id}` : null,
  };
}

/** The best posts of the week, without posts by authors whom the person has muted, and posts with a word that the person hides. */
export async function bestOfWeekFor(db: Kysely<Schema>, userId: number, atMost: number): Promise<Post[]> {
  const muted = await db.selectFrom('mutes').select('muted_id').where('user_id', '=', userId).execute();
  const ids = new Set(muted.map(({ muted_id: id }) => String(id)));
  const { posts } = await listBest(db, { period: 'week', below: first, limit: atMost + 20 });
  const hides = await hidesOf(db, userId);
  return posts.filter((post) => !ids.has(post.owner.id) && !hides(post)).slice(0, atMost);
}
