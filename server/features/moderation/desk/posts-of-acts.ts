import type { Kysely } from 'kysely';
import { acts as kinds } from '#contract/moderation-acts.ts';
import type { JournalEntry } from '#contract/moderation.ts';
import type { Schema } from '../../../db/schema.ts';
import { isNotDeleted } from '../../../db/visibility.ts';
import type { JournalRow } from '../journal.ts';

/** The posts that acts were about, as they are now, by id. Without those that their authors have deleted. */
export async function postsOf(
  db: Kysely<Schema>,
  acts: readonly JournalRow[],
): Promise<(act: JournalRow) => JournalEntry['post']> {
  const idOf = ({ action, target_id: id }: JournalRow) => (kinds[action]?.target === 'post' && id !== null ? id : 0);
  const ids = [0, ...acts.map(idOf)];
  const [shown, removed] = await Promise.all([
    db
      .selectFrom('posts as p')
      .innerJoin('users as u', 'u.id', 'p.user_id')
      .select(['p.id', 'p.text'])
      .where('p.id', 'in', ids)
      .where(isNotDeleted('u'))
      .execute(),
    db
      .selectFrom('removed_posts as p')
      .innerJoin('users as u', 'u.id', 'p.user_id')
      .select(['p.id', 'p.text'])
      .where('p.id', 'in', ids)
      .where('p.by_author', '=', 0)
      .where(isNotDeleted('u'))
      .execute(),
  ]);
  const posts = new Map<number, JournalEntry['post']>([
    ...shown.map(({ id, text }) => [id, { text, is_removed: false }] as const),
    ...removed.map(({ id, text }) => [id, { text, is_removed: true }] as const),
  ]);
  return (act) => posts.get(idOf(act)) ?? null;
}
