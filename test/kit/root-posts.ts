import type { Database } from '../../server/db/database.ts';
import { countRootPost } from '../../server/features/posts/feed-counts.ts';

/** Ids so far apart that they fill several counted ranges and leave others empty. */
export const scatteredIds: readonly number[] = [
  3, 900, 1_023, 1_024, 1_025, 5_000, 1_048_575, 1_048_576, 1_050_000, 3_000_000, 3_000_001, 9_999_999,
];

/** Writes root posts with these ids. */
export async function writeRootPosts(
  { tx }: Pick<Database, 'tx'>,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  await tx(async (opened) => {
    for (const id of ids) {
      await opened.db
        .insertInto('posts')
        .values({ id, user_id: userId, text: `${id}`, created_at: id, parent_post_id: null, replied_post_id: null })
        .execute();
      await countRootPost(opened, id, 1);
    }
  });
}
