import { DatabaseSync } from 'node:sqlite';
import { newWall } from './new-wall.ts';

/** How many rows a second plain SQLite writes when each waits for the disk by itself. */
export async function writeOneByOne(file: string, seconds: number): Promise<number> {
  const { db, author } = await newWall(file);
  await db.close();
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = full');
  const insert = database.prepare('insert into posts (user_id, text, created_at) values (?, ?, ?)');
  const begun = performance.now();
  let written = 0;
  while (performance.now() - begun < seconds * 1_000) {
    insert.run(author, `Запись ${written}`, written);
    written += 1;
  }
  const perSecond = (written / (performance.now() - begun)) * 1_000;
  database.close();
  return perSecond;
}
