import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import { prepared } from '../db/prepared.ts';
import type { Schema } from '../db/schema.ts';

/** A page of root posts, or the most that one answer speaks of: each post and what it quotes. */
const few = limits.pageSize;
const many = limits.pageSizeMax * 2;

const likedAmong = (size: number) =>
  prepared<Record<'userId' | `id${number}`, number>, { post_id: number }>((db, slot) =>
    db
      .selectFrom('likes')
      .select('post_id')
      .where('user_id', '=', slot('userId'))
      .where(
        'post_id',
        'in',
        Array.from({ length: size }, (_, i) => slot(`id${i}`)),
      ),
  );

const likedAmongFew = likedAmong(few);
const likedAmongMany = likedAmong(many);

/** Which of these posts the person likes. The query is compiled for two sizes; empty places hold no post's id. */
export async function findLiked(db: Kysely<Schema>, userId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const size = ids.length <= few ? few : many;
  const params: Record<'userId' | `id${number}`, number> = { userId };
  for (let i = 0; i < size; i += 1) params[`id${i}`] = ids[i] ?? 0;
  const rows = await (size === few ? likedAmongFew : likedAmongMany)(db, params);
  return new Set(rows.map(({ post_id }) => post_id));
}
