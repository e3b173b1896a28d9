import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { sqliteFile } from '../../server/db/open-database.ts';
import { type IndexedPost, lexemeIn, lexemesOf, sectionSign, sectionSizes } from '../../server/search/lexemes.ts';
import { indexVersion } from '../../server/search/post-words.ts';
import type { Place } from '../kit/engines.ts';

/** The numbers added from copy to copy. */
interface Block {
  copies: number;
  posts: number;
  likes: number;
  /** Unix seconds of the oldest post, and from there to after the newest. */
  from: number;
  seconds: number;
}

/** The wall that is multiplied, which nobody else may use. */
interface Wall {
  run(statements: string): Promise<unknown>;
  row(query: string): Promise<object>;
  /** Empties a table at once. */
  empty: 'delete from' | 'truncate';
  /** Fills `source_words` and empties the index. */
  takeWords(): Promise<void>;
  addWords(shift: number): string;
  /** The expression for the shard of a row of `feed_counts`. */
  shard: string;
  finish(): Promise<void>;
  close(): Promise<void>;
}

const copied = ['posts', 'likes', 'notifications', 'discussions', 'lifts'];

/**
 * Replaces the posts, likes, notifications, discussions and lifts of a wall by so many copies of them, by the same people and in
 * the same span of time. Publishing them would take several times as long. verify-data finds no difference. A wall with gaps or
 * removed posts cannot be multiplied.
 */
export async function multiplyWall(place: Place, copies: number, onCopy: (copy: number) => void): Promise<void> {
  const wall = place.databaseUrl ? await openPostgres(place.databaseUrl) : openSqlite(sqliteFile(place.dataDir));
  try {
    const sizes = await wall.row(`
      select max(id) as posts, (select max(id) from likes) as likes, min(created_at) as "from",
        max(created_at) + 1 - min(created_at) as seconds from posts`);
    const block = { copies, ...sizes } as Block;
    await wall.takeWords();
    await wall.run(`delete from search_index; insert into search_index values (${indexVersion}, 0)`);
    for (const table of copied) {
      await wall.run(`create temp table source_${table} as select * from ${table}; ${wall.empty} ${table}`);
    }
    for (let copy = 0; copy < copies; copy += 1) {
      await wall.run(['begin', ...rowsOf(copy, block), wall.addWords(copy * block.posts), 'commit'].join(';'));
      onCopy(copy + 1);
    }
    await wall.run(counts(wall, copies).join(';'));
    await wall.finish();
  } finally {
    await wall.close();
  }
}

/** The rows of one copy. The copies follow one another, each in its part of the time. */
function rowsOf(copy: number, { copies, posts, likes, from, seconds }: Block): string[] {
  const shift = copy * posts;
  const moved = (time: string): string => `${from} + (${time} - ${from} + ${copy * seconds}) / ${copies}`;
  return [
    `insert into posts (id, user_id, text, created_at, modified_at, parent_post_id, replied_post_id, likes_count,
       replies_count, thread_count, depth)
     select id + ${shift}, user_id, text, ${moved('created_at')}, ${moved('modified_at')}, parent_post_id + ${shift},
       replied_post_id + ${shift}, likes_count, replies_count, thread_count, depth
     from source_posts order by id`,
    `insert into likes (id, post_id, user_id, created_at)
     select id + ${copy * likes}, post_id + ${shift}, user_id, ${moved('created_at')} from source_likes order by id`,
    `insert into notifications (user_id, no, post_id, author_id, kind)
     select n.user_id, n.no + ${copy} * u.notifications_made, n.post_id + ${shift}, n.author_id, n.kind
     from source_notifications n join users u on u.id = n.user_id order by n.post_id`,
    `insert into discussions (root_post_id, last_reply_id, last_reply_by, last_reply_at, other_reply_id, other_reply_at, lift_id)
     select root_post_id + ${shift}, last_reply_id + ${shift}, last_reply_by, ${moved('last_reply_at')},
       other_reply_id + ${shift}, ${moved('other_reply_at')}, lift_id + ${shift}
     from source_discussions order by root_post_id`,
    `insert into lifts (reply_id, root_post_id, user_id, created_at)
     select reply_id + ${shift}, root_post_id + ${shift}, user_id, ${moved('created_at')} from source_lifts order by reply_id`,
  ];
}

function counts({ shard }: Wall, copies: number): string[] {
  return [
    `update users set posts_count = posts_count * ${copies}, replies_count = replies_count * ${copies},
       likes_count = likes_count * ${copies}, notifications_count = notifications_count * ${copies},
       notifications_read = notifications_read + notifications_made * ${copies - 1},
       notifications_made = notifications_made * ${copies}`,
    'create temp table spans as select distinct span from feed_counts',
    'delete from feed_counts',
    `insert into feed_counts (span, slot, shard, n)
     select s.span, p.id >> s.span, ${shard}, count(*) from posts p, spans s where p.replied_post_id is null group by 1, 2, 3`,
  ];
}

/** Bytes of words that SQLite gathers before it writes them: those of a copy of a million posts, and the default. */
const gathered = { copy: 2 ** 28, usual: 2 ** 20 };

/** The lexemes of section 0, separated by spaces, the same on both engines. */
const wordsOf = (post: Omit<IndexedPost, 'id'>): string => lexemesOf('sqlite', { ...post, id: 0 }).join(' ');

/** The words of the copy of a post. */
const movedWords = (shift: number, sectionSize: number): string =>
  `replace(words, '${lexemeIn(0, '')}', '${sectionSign}' || ((id + ${shift}) / ${sectionSize}))`;

function openSqlite(file: string): Wall {
  // A defensive connection would go on writing a WAL.
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, defensive: false });
  // A wall that is interrupted here is thrown away.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive');
  database.exec('pragma cache_size = -1000000; pragma temp_store = memory');
  database.function('lexemes', { deterministic: true }, (userId, text) =>
    wordsOf({ user_id: Number(userId), text: String(text) }),
  );
  const gather = (bytes: number): string => `insert into post_words (post_words, rank) values ('hashsize', ${bytes})`;
  return {
    run: async (statements) => database.exec(statements),
    row: async (query) => database.prepare(query).get()!,
    empty: 'delete from',
    takeWords: async () =>
      database.exec(`
        create temp table source_words as select id, lexemes(user_id, text) as words from posts;
        insert into post_words (post_words) values ('delete-all');
        ${gather(gathered.copy)}`),
    addWords: (shift) =>
      `insert into post_words (rowid, words) select id + ${shift}, ${movedWords(shift, sectionSizes.sqlite)} from source_words order by id`,
    shard: '0',
    finish: async () => database.exec(`${gather(gathered.usual)}; pragma journal_mode = wal`),
    close: async () => database.close(),
  };
}

async function openPostgres(url: string): Promise<Wall> {
  const client = new Client(url);
  await client.connect();
  // Without triggers foreign keys are not checked.
  await client.query(`set session_replication_role = replica; set maintenance_work_mem = '1GB'`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('post_words', ${copied.map((table) => `'${table}'`).join(', ')})
      and indexname not in (select conname from pg_constraint)`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return {
    run: (statements) => client.query(statements),
    async row(query) {
      const { rows } = await client.query<Record<string, string>>(query);
      return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]));
    },
    empty: 'truncate',
    async takeWords() {
      await client.query('truncate post_words; create temp table source_words (id bigint, words text)');
      for (let last = 0; ;) {
        const { rows } = await client.query<IndexedPost>(
          `select id::int, user_id::int, text from posts where id > ${last} order by id limit 10000`,
        );
        if (rows.length === 0) return;
        last = rows.at(-1)!.id;
        await client.query(
          `insert into source_words
           select * from unnest($1::bigint[], $2::text[])`,
          [rows.map(({ id }) => id), rows.map(wordsOf)],
        );
      }
    },
    addWords: (shift) => `
      insert into post_words (post_id, words)
      select id + ${shift}, array_to_tsvector(string_to_array(${movedWords(shift, sectionSizes.postgres)}, ' '))
      from source_words order by id`,
    // Every range has sixteen rows, as when people write.
    shard: 'p.id & 15',
    async finish() {
      // An index of all rows is made faster than it grows row by row.
      for (const { definition } of indexes) await client.query(definition);
      for (const table of ['posts', 'likes']) {
        await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`);
      }
      await client.query('vacuum (freeze, analyze)');
    },
    close: () => client.end(),
  };
}
