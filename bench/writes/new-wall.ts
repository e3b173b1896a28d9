import { createUser } from '../../server/account/store.ts';
import type { Database } from '../../server/db/database.ts';
import { openSqlite } from '../../server/db/sqlite/open-sqlite.ts';

const fail = (error: Error): never => {
  throw error;
};

/** An empty wall with one author, opened by the server's own engine. */
export async function newWall(file: string): Promise<{ db: Database; author: number }> {
  const db = await openSqlite(file, { onSyncFailure: fail, onDamage: fail });
  const author = await db.tx((tx) => createUser(tx, { username: 'bench', email: 'bench@example.org', now: 0 }));
  return { db, author };
}
