import { fileSync, openSqlite } from '../../server/db/sqlite/open-sqlite.ts';
import { sqliteFile } from '../../server/db/open-database.ts';

/** This program writes with many clients at once until it is killed, and prints the id of each row when it is acknowledged. */
const [dataDir, mode] = process.argv.slice(2);
const clients = 64;
const seeds = 2_000;

const fail = (error: Error): never => {
  throw error;
};
const db = await openSqlite(sqliteFile(dataDir!), {
  sync: mode === 'unsynced' ? async () => {} : fileSync,
  onSyncFailure: fail,
});

const user_id = 1;
const author = { id: user_id, username: 'author', username_key: 'author', email: 'author@example.com', created_at: 1 };
const newPost = (text: string) => ({ user_id, text, created_at: 1, parent_post_id: null, replied_post_id: null });
const seeded = Array.from({ length: seeds }, () => newPost('x'.repeat(500)));
await db.tx(async (tx) => {
  await tx.db.insertInto('users').values(author).execute();
  await tx.db.insertInto('all_posts').values(seeded).execute();
});

async function client(): Promise<never> {
  for (;;) {
    const id = await db.tx(async (tx) => {
      const post = await tx.db.insertInto('all_posts').values(newPost('')).returning('id').executeTakeFirstOrThrow();
      // Updates pages all over the file, so that the WAL grows quickly.
      await tx.db
        .updateTable('all_posts')
        .set((eb) => ({ likes_count: eb('likes_count', '+', 1) }))
        .where('id', '=', 1 + Math.floor(Math.random() * seeds))
        .execute();
      return post.id;
    });
    process.stdout.write(`${id}\n`);
  }
}
await Promise.all(Array.from({ length: clients }, client));
