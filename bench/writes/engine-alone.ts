import { DatabaseSync } from 'node:sqlite';
import { fdatasyncSync, openSync } from 'node:fs';
import { newWall } from './new-wall.ts';

const groupSize = 64;

/** What has to be written for one post or one like, as the server writes it. */
export interface Work {
  prepare(database: DatabaseSync, author: number): (i: number) => void;
}

/** The rows of a published post. */
export const post: Work = {
  prepare(database, author) {
    const insert = database.prepare('insert into posts (user_id, text, created_at) values (?, ?, ?) returning id');
    const count = database.prepare('update users set posts_count = posts_count + 1 where id = ?');
    const countFeed = database.prepare(
      'insert into feed_counts values (?, ?, 0, 1) on conflict (span, slot, shard) do update set n = n + 1',
    );
    const change = database.prepare(
      "insert into changes (kind, post_id, owner_id, created_at) values ('new', ?, ?, ?)",
    );
    const key = database.prepare('insert into idempotency_keys values (?, ?, ?)');
    return (i) => {
      const { id } = insert.get(author, `Запись ${i}: сегодня на стене людно, и каждому есть что сказать.`, i)!;
      count.run(author);
      countFeed.run(10, Math.floor(Number(id) / 1_024));
      countFeed.run(20, 0);
      change.run(id!, author, i);
      key.run(`${author} ${i} 00000000-0000-4000-8000-000000000000`, id!, i);
    };
  },
};

/** The rows of likes given to a thousand posts in turn, and of those taken back. */
export const like: Work = {
  prepare(database, author) {
    const posts = 1_000;
    for (let i = 0; i < posts; i += 1) {
      database.prepare('insert into posts (user_id, text, created_at) values (?, ?, ?)').run(author, `Запись ${i}`, i);
    }
    const add = database.prepare('insert into likes (post_id, user_id, created_at) values (?, ?, ?)');
    const remove = database.prepare('delete from likes where post_id = ? and user_id = ?');
    const countUser = database.prepare('update users set likes_count = likes_count + ? where id = ?');
    const countPost = database.prepare('update posts set likes_count = likes_count + ? where id = ?');
    const change = database.prepare(
      "insert into changes (kind, post_id, owner_id, created_at) values ('counted', ?, ?, ?)",
    );
    return (i) => {
      const id = 1 + (i % posts);
      const given = Math.floor(i / posts) % 2 === 0;
      if (given) add.run(id, author, i);
      else remove.run(id, author);
      countUser.run(given ? 1 : -1, author);
      countPost.run(given ? 1 : -1, id);
      change.run(id, author, i);
    };
  },
};

/** How much of it plain SQLite does in a second, so many at a time, each group waiting for the disk. */
export async function writeWithEngineAlone(file: string, work: Work, seconds: number): Promise<number> {
  const { db, author } = await newWall(file);
  await db.close();
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = normal');
  const write = work.prepare(database, author);
  database.exec('begin; commit');
  const wal = openSync(`${file}-wal`, 'r+');
  const begun = performance.now();
  let written = 0;
  while (performance.now() - begun < seconds * 1_000) {
    database.exec('begin immediate');
    for (let i = 0; i < groupSize; i += 1) write(written++);
    database.exec('commit');
    fdatasyncSync(wal);
  }
  const perSecond = (written / (performance.now() - begun)) * 1_000;
  database.close();
  return perSecond;
}
