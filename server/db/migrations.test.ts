import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import pg from 'pg';
import { runJobs } from '../../test/kit/run-jobs.ts';
import { pollWithin } from '../../test/kit/polling.ts';
import { type Engine, engines, freshStorage, type StorageSettings } from '../../test/kit/engines.ts';
import { recount } from '../commands/verify-data/recount.ts';
import { purgeDeleted } from '../features/posts/own-deletion.ts';
import { restorePost } from '../features/posts/post-states.ts';
import { lockDueMails } from '../mail/outbox.ts';
import { type Database, StorageUnfit } from './database.ts';
import { loadMigrations, type Migration } from './migrate.ts';
import { openDatabase, sqliteFile } from './open-database.ts';
import { migratePostgres } from './postgres/migrate-postgres.ts';
import { version as built } from '../version.ts';
import { migrateSqlite } from './sqlite/migrate-sqlite.ts';

const migrate: Record<Engine, (storage: StorageSettings, migrations: Migration[]) => Promise<void>> = {
  sqlite: async ({ dataDir }, migrations) => migrateSqlite(sqliteFile(dataDir), migrations),
  postgres: ({ databaseUrl }, migrations) => migratePostgres(databaseUrl!, migrations),
};

/** The modules and functions by which processes apply other migrations than the stored ones. */
const modules = { sqlite: './sqlite/migrate-sqlite.ts', postgres: './postgres/migrate-postgres.ts' };
const functions = { sqlite: 'migrateSqlite', postgres: 'migratePostgres' };

const manyRows: Record<Engine, string> = {
  sqlite: 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 500000) select i from n',
  postgres: 'select generate_series(1, 500000)',
};

const open = (storage: StorageSettings): Promise<Database> => openDatabase(storage, assert.fail);

/** The table that PostgreSQL's migration always writes to, for databases made by other migrations. */
const log = 'create table changes (kind text, post_id integer, owner_id integer, created_at integer)';

/** The migrations of 1.0.0. */
const earlier = async (engine: Engine): Promise<Migration[]> =>
  (await loadMigrations(engine)).filter(({ version }) => version < 9);

const later: Migration = { version: 9_000, name: 'later', sql: 'create table later (id integer)' };

async function runStatement({ databaseUrl }: StorageSettings, statement: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function run(storage: StorageSettings, statement: string): Promise<void> {
  if (storage.databaseUrl) return runStatement(storage, statement);
  const database = new DatabaseSync(sqliteFile(storage.dataDir));
  database.exec(statement);
  database.close();
}

/** In the tables before posts had states: gaps, withdrawn posts in unknown places, and likes and notifications half-way to other tables. */
const wallBeforeStates = `
  insert into users (username, username_key, email, created_at) values ('anna', 'anna', 'a@b.c', 0), ('boris', 'boris', 'b@b.c', 0), ('clara', 'clara', 'c@b.c', 0);
  insert into posts (id, user_id, text, created_at, parent_post_id, replied_post_id, depth, replies_count, gaps_count, thread_count, likes_count) values
    (1, 1, 'корень', 5, null, null, 0, 1, 0, 1, 0), (2, 2, 'ответ', 5, 1, 1, 1, 0, 0, 0, 0),
    (11, 2, 'ответ', 5, 10, 10, 1, 0, 0, 0, 0), (21, 2, 'ответ', 5, 20, 20, 1, 0, 0, 0, 0),
    (40, 1, 'возвращается', 5, null, null, 0, 0, 0, 0, 1);
  insert into thread_gaps (id, parent_post_id, replied_post_id, replies_count, gaps_count, thread_count, depth, pace) values
    (10, null, null, 1, 0, 1, 0, 0), (20, null, null, 1, 0, 1, 0, -1);
  insert into removed_posts (id, user_id, text, created_at, parent_post_id, replied_post_id, depth, removed_at, reason, with_block, by_author) values
    (20, 1, 'убран корень', 5, null, null, 0, 9, 'спам', 0, 0), (22, 3, 'удалён', 5, 20, 21, 2, 9, '', 0, 1),
    (24, 3, 'убран', 5, 20, 23, 4, 9, 'спам', 0, 0), (31, 3, 'убран', 5, 30, 30, 1, 9, 'спам', 0, 0),
    (41, 1, 'уходит', 5, null, null, 0, 9, 'спам', 0, 0);
  insert into likes_to_move values (40, 'shown'), (41, 'removed'), (42, 'deleted');
  insert into likes (id, post_id, user_id, created_at) values (1, 40, 1, 5), (2, 41, 2, 5), (3, 42, 1, 5);
  insert into removed_likes (id, post_id, user_id, created_at) values (4, 40, 2, 5), (5, 40, 3, 5), (6, 41, 1, 5), (7, 41, 3, 5), (8, 42, 2, 5);
  insert into notifications (user_id, no, post_id, author_id, kind) values
    (2, 1, 40, 1, 'mention'), (2, 2, 41, 1, 'mention'), (3, 3, 42, 1, 'mention');
  insert into removed_notifications (user_id, no, post_id, author_id, kind) values
    (3, 1, 40, 1, 'mention'), (3, 2, 41, 1, 'mention'), (2, 3, 42, 1, 'mention');
  insert into discussions (root_post_id, last_reply_id, last_reply_by, last_reply_at)
    select parent_post_id, id, user_id, created_at from posts where parent_post_id is not null;
  insert into feed_counts (span, slot, shard, n) values (10, 0, 0, 2), (20, 0, 0, 2);
  insert into jobs (name, key, payload, run_at) values ('move-likes', '40', 'null', 0)`;

const countedBeforeStates = `
  update users set
    posts_count = (select count(*) from posts where user_id = users.id and replied_post_id is null),
    replies_count = (select count(*) from posts where user_id = users.id and replied_post_id is not null),
    likes_count = (select count(*) from likes where user_id = users.id),
    notifications_made = 3,
    notifications_count = (select count(*) from notifications where user_id = users.id)`;

const names = (migrations: Migration[]): string[] => migrations.map(({ name }) => name);

async function applied({ databaseUrl, dataDir }: StorageSettings): Promise<string[]> {
  const query = 'select name from migrations order by version';
  if (!databaseUrl) {
    const database = new DatabaseSync(sqliteFile(dataDir));
    const rows = database.prepare(query).all();
    database.close();
    return rows.map(({ name }) => String(name));
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(query);
  await client.end();
  return rows.map(({ name }) => name);
}

/** Runs a script in four processes that begin at the same moment; all must succeed. */
async function startTogether(script: string): Promise<void> {
  const waiting = `import { once } from 'node:events'; console.log('ready'); await once(process.stdin, 'data');`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--eval', `${waiting}${script}\nprocess.stdin.destroy();`], {
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  const results = await Promise.all(
    children.map(async (child) => {
      child.stdin.write('go');
      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      return { code, errors };
    }),
  );
  for (const result of results) assert.deepEqual(result, { code: 0, errors: '' });
}

for (const engine of engines) {
  describe(`migrations on ${engine}`, () => {
    it('applies each once when processes start together on a new database', async () => {
      await using fresh = await freshStorage(engine);
      const all = await loadMigrations(engine);
      await startTogether(`
        const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('./open-database.ts'))});
        await (await openDatabase(${JSON.stringify(fresh.storage)}, console.error)).close();`);
      assert.deepEqual(await applied(fresh.storage), names(all));
    });

    it('has each number once, from files for this engine and for both', async () => {
      const numbers = (await loadMigrations(engine)).map(({ version }) => version);
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => i + 1),
      );
    });

    it('applies each once when processes start together on an older database', async () => {
      await using fresh = await freshStorage(engine);
      const initial = await loadMigrations(engine);
      // The migration takes long enough for the processes to overlap.
      const sql = `alter table users add column later integer; create table later (id integer); insert into later ${manyRows[engine]}`;
      const all = [...initial, { version: 9_000, name: 'later', sql }];
      await migrate[engine](fresh.storage, initial);
      await startTogether(`
        const { ${functions[engine]} } = await import(${JSON.stringify(import.meta.resolve(modules[engine]))});
        await ${functions[engine]}(${JSON.stringify(fresh.storage.databaseUrl ?? sqliteFile(fresh.storage.dataDir))}, ${JSON.stringify(all)});`);
      assert.deepEqual(await applied(fresh.storage), names(all));
    });

    for (const [which, known, strange, message] of [
      ['of a newer version', loadMigrations, [[9_000, 'from-the-future']], /версии 9000, .*более новая/],
      [
        'that a program between 1.0.0 and the next release has changed',
        earlier,
        [[9, '0009-new-devices.sql']],
        /^База сделана не выпуском \(миграция 0009-new-devices\.sql\), [^\n]*восстановите копию/,
      ],
      [
        'that was created before the first release',
        () => [],
        [
          [1, `0001-wall.${engine}.sql`],
          [2, `0002-sign-in.${engine}.sql`],
        ],
        /^База сделана не выпуском \(миграция 0001-wall\..*$/,
      ],
    ] as const)
      it(`refuses a database ${which}`, async () => {
        await using fresh = await freshStorage(engine);
        const others = strange.map(([version, name]) => ({
          version,
          name,
          sql: version === 1 ? log : `create table t${version} (id integer)`,
        }));
        await migrate[engine](fresh.storage, [...(await known(engine)), ...others]);
        await assert.rejects(open(fresh.storage), (error) => {
          assert.ok(error instanceof StorageUnfit);
          assert.match(error.message, message);
          return true;
        });
      });

    it('writes nothing any more after a newer program has changed the tables', async () => {
      await using fresh = await freshStorage(engine);
      const db = await open(fresh.storage);
      const write = () => db.tx((tx) => tx.db.deleteFrom('jobs').where('name', '=', 'none').execute());
      await write();
      // Changes the tables as a newer program does that has not noticed this process.
      if (fresh.storage.databaseUrl)
        await runStatement(fresh.storage, "insert into migrations values (9000, 'later', 0)");
      else migrateSqlite(sqliteFile(fresh.storage.dataDir), [...(await loadMigrations(engine)), later]);
      const refused = await pollWithin(1_000, () =>
        write().then(
          () => undefined,
          (error: Error) => error,
        ),
      );
      assert.match(String(refused), /^StorageUnavailable: .* version 9000, /);
      assert.ok(db.writes.areFailing);
      assert.ok(await db.read.selectFrom('users').selectAll().execute());
      await db.close();
    });

    it('compares the names of people who are there already', async () => {
      await using fresh = await freshStorage(engine);
      await migrate[engine](fresh.storage, await earlier(engine));
      const people = [
        "('anna', 'anna', 'a@b.c', 0, 'Роман', null)",
        "('gone', 'gone', 'deleted 2', 0, null, 1)",
        "('boris', 'boris', 'b@b.c', 0, 'POMAH', null)",
        "('pomah', 'pomah', 'c@b.c', 0, null, null)",
      ];
      await run(
        fresh.storage,
        `insert into users (username, username_key, email, created_at, display_name, deleted_at) values ${people.join()}`,
      );
      const db = await open(fresh.storage);
      await runJobs(db, 1);
      const columns = ['username', 'is_namesake'] as const;
      const rows = await db.read
        .selectFrom('users')
        .select((eb) => [...columns, eb('name_skeleton', 'is not', null).as('compared')])
        .orderBy('id')
        .execute();
      await db.close();
      assert.deepEqual(
        rows.map((row) => [...columns.map((name) => row[name]), Boolean(row.compared)].join(' ')),
        ['anna 0 true', 'gone 0 false', 'boris 1 true', 'pomah 1 true'],
      );
    });

    it('sends codes that wait already before other mail', async () => {
      await using fresh = await freshStorage(engine);
      await migrate[engine](fresh.storage, await earlier(engine));
      await run(
        fresh.storage,
        `insert into outbox (operation_id, recipient, sealed, next_try_at, give_up_at) values
           (null, 'anna@example.org', 'x', 1, 99), (null, 'anna@example.org', 'x', 1, 99), ('op', 'boris@example.org', 'x', 2, 99)`,
      );
      const db = await open(fresh.storage);
      const [first] = await lockDueMails(db, { now: 3, leaseSeconds: 15, dueWithinSeconds: 30, atMost: 1 });
      await db.close();
      assert.equal(first!.recipient, 'boris@example.org');
    });

    it('separates who has closed a discussion from its pace, for the wall and for the undo', async () => {
      await using fresh = await freshStorage(engine);
      await migrate[engine](fresh.storage, await earlier(engine));
      const paces = [0, 300, -1, -2, -302];
      const ids = paces.map((_, index) => index + 1);
      const closing = (before: number) => JSON.stringify({ before, undoes: 9 });
      await run(
        fresh.storage,
        `insert into users (username, username_key, email, created_at) values ('anna', 'anna', 'a@b.c', 0);
         insert into posts (id, user_id, text, created_at, pace) values ${paces.map((pace, at) => `(${ids[at]}, 1, 'т', 0, ${pace})`).join()};
         insert into operator_log (at, operator, action, target_id, reason, details, ended_by) values
           (0, 'o', 'lock', 3, 'р', '${closing(-302)}', null), (0, 'o', 'lock', 3, 'р', '${closing(60)}', 8),
           (0, 'o', 'unlock', 1, 'р', '${closing(-1)}', null), (0, 'o', 'pace', 2, 'р', '{"before":60}', null)`,
      );
      const database = await open(fresh.storage);
      const posts = await database.read.selectFrom('posts').select(['pace', 'closed_by']).orderBy('id').execute();
      assert.deepEqual(
        posts.map(({ pace, closed_by: by }) => [pace, by]),
        [
          [0, null],
          [300, null],
          [300, 'keeper'],
          [0, 'author'],
          [300, 'author'],
        ],
      );
      const entries = await database.read.selectFrom('operator_log').select('details').orderBy('id').execute();
      await database.close();
      assert.deepEqual(
        entries.map(({ details }) => JSON.parse(details!)),
        [
          { undoes: 9, closed_by: 'author' },
          { undoes: 9, closed_by: null },
          { undoes: 9, closed_by: 'keeper' },
          { before: 60 },
        ],
      );
    });

    it('gives withdrawn posts, gaps, and likes that were being moved their places in the tables of posts', async () => {
      await using fresh = await freshStorage(engine);
      await migrate[engine](fresh.storage, await earlier(engine));
      await run(fresh.storage, `${wallBeforeStates}; ${countedBeforeStates}`);
      const db = await open(fresh.storage);
      // The names and words of this wall were never compared and indexed.
      const differences = async () =>
        (await Array.fromAsync(recount(db.read))).filter(({ what }) => !/^(users.name_skeleton|post_words)/.test(what));
      assert.deepEqual(await differences(), []);
      const posts = await db.read
        .selectFrom('all_posts')
        .select(['id', 'replied_post_id', 'depth', 'state', 'is_place', 'hidden_count', 'likes_count', 'closed_by'])
        .orderBy('id')
        .execute();
      assert.deepEqual(
        posts.map((row) => Object.values(row).join(' ')),
        [
          '1  0 0 1 0 0 ',
          '2 1 1 0 1 0 0 ',
          '10  0 3 1 0 0 ',
          '11 10 1 0 1 0 0 ',
          '20  0 2 1 1 0 keeper',
          '21 20 1 0 1 1 0 ',
          '22 21 2 1 0 0 0 ',
          '23 20 3 3 0 1 0 ',
          '24 23 4 2 0 0 0 ',
          '30  0 3 0 1 0 ',
          '31 30 1 2 0 0 0 ',
          '40  0 0 1 0 3 ',
          '41  0 2 0 0 3 ',
        ],
      );
      const people = await db.read
        .selectFrom('users')
        .select(['likes_count', 'notifications_count', 'unread_count'])
        .orderBy('id')
        .execute();
      assert.deepEqual(
        people.map((row) => Object.values(row).join(' ')),
        ['1 0 0', '1 1 1', '1 1 1'],
      );
      await db.tx(async (tx) => {
        assert.equal(await restorePost(tx, 24, 1_000_000, () => true), 'restored');
        assert.equal(await restorePost(tx, 41, 1_000_000, () => true), 'restored');
        await purgeDeleted(tx, 1_000_000, 10);
      });
      assert.deepEqual(await differences(), []);
      await db.close();
    });

    it('rolls back every migration when one fails', async () => {
      await using fresh = await freshStorage(engine);
      const known = await loadMigrations(engine);
      const broken = {
        version: 9_000,
        name: 'broken',
        sql: 'create table half (id integer); insert into half values (1); insert into nowhere values (1);',
      };
      await assert.rejects(migrate[engine](fresh.storage, [...known, broken]), /nowhere/);
      // This would fail if the earlier migrations had been applied.
      const other = { version: 1, name: 'other', sql: `create table half (id integer); ${log}` };
      await migrate[engine](fresh.storage, [other]);
      await assert.rejects(migrate[engine](fresh.storage, [other, { ...broken, version: 2 }]), /half/);
    });
  });
}

it('changes no tables on PostgreSQL while processes work that know only the present ones, and names them', async () => {
  await using fresh = await freshStorage('postgres');
  const known = await loadMigrations('postgres');
  const older = await open(fresh.storage);
  const upgrade = () => migrate.postgres(fresh.storage, [...known, later]);
  const refusal = new RegExp(
    `^Новой версии нужно изменить таблицы, .*: stena ${built.replaceAll(/[+.]/g, '\\$&')} \\(127\\.0\\.0\\.1, `,
  );
  await assert.rejects(upgrade(), { name: 'StorageUnfit', message: refusal });
  await older.close();
  const unnamed = new pg.Client(fresh.storage.databaseUrl);
  await unnamed.connect();
  await unnamed.query("select tags from announcements where position >= '0'");
  await assert.rejects(upgrade(), { name: 'StorageUnfit', message: /: стена 1\.0 \(/ });
  await unnamed.end();
  await upgrade();
  assert.deepEqual(await applied(fresh.storage), [...names(known), 'later']);
});

it('refuses tables of an engine without transaction numbers', async () => {
  await using fresh = await freshStorage('postgres');
  await runStatement(fresh.storage, 'create table sequencer (last bigint not null)');
  const message = /^База сделана для движка без номеров транзакций, .*$/;
  await assert.rejects(open(fresh.storage), { name: 'StorageUnfit', message });
});

it('PostgreSQL gathers no statistics about texts, and drops those that an older version has gathered', async (t) => {
  const { storage, remove } = await freshStorage('postgres');
  t.after(remove);
  await migrate.postgres(storage, await earlier('postgres'));
  const client = new pg.Client(storage.databaseUrl);
  await client.connect();
  const gathered = async (): Promise<string[]> => {
    const { rows } = await client.query(
      "select tablename || '.' || attname as name from pg_stats where attname in ('text', 'words') order by 1",
    );
    return rows.map(({ name }) => name);
  };
  try {
    await client.query("insert into users (username, username_key, email, created_at) values ('a', 'a', 'a@b.c', 0)");
    await client.query("insert into posts (user_id, text, created_at) select id, 'тайна', 0 from users");
    await client.query("insert into post_words values (1, to_tsvector('simple', 'тайна'))");
    await client.query('alter table posts alter column text set statistics -1');
    await client.query('alter table post_words alter column words set statistics -1');
    await client.query('analyze');
    assert.deepEqual(await gathered(), ['post_words.words', 'posts.text']);
    await (await open(storage)).close();
    assert.deepEqual(await gathered(), []);
    await client.query('analyze');
    assert.deepEqual(await gathered(), []);
  } finally {
    await client.end();
  }
});

it('PostgreSQL writes a new count of a person into the page of the old one, also for people of an older version', async (t) => {
  const { storage, remove } = await freshStorage('postgres');
  t.after(remove);
  await migrate.postgres(storage, await earlier('postgres'));
  const people = "select 'user' || i, 'user' || i, i || '@b.c', 0 from generate_series(1, 500) i";
  await runStatement(storage, `insert into users (username, username_key, email, created_at) ${people}`);
  await (await open(storage)).close();
  const client = new pg.Client(storage.databaseUrl);
  await client.connect();
  const pages = 'select id, (ctid::text::point)[0] as page from users order by id';
  const before = await client.query(pages);
  await client.query('update users set likes_count = likes_count + 1');
  const after = await client.query(pages);
  await client.end();
  assert.deepEqual(after.rows, before.rows);
});
