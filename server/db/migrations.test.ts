import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type Engine, engines, freshPlace, type Place } from '../../test/engines.ts';
import { countUnread } from '../answers/store.ts';
import { listAnswersTo } from '../posts/store.ts';
import { recount } from '../verify-data/recount.ts';
import { type Database, StorageUnfit } from './database.ts';
import { loadMigrations, type Migration } from './migrate.ts';
import { openDatabase, sqliteFile } from './open-database.ts';
import { migratePostgres } from './postgres/migrate-postgres.ts';
import { migrateSqlite } from './sqlite/migrate-sqlite.ts';
import { sql } from 'kysely';

const migrate: Record<Engine, (place: Place, migrations: Migration[]) => Promise<void>> = {
  sqlite: async ({ dataDir }, migrations) => migrateSqlite(sqliteFile(dataDir), migrations),
  postgres: ({ databaseUrl }, migrations) => migratePostgres(databaseUrl!, migrations),
};

const open = (place: Place): Promise<Database> => openDatabase(place, assert.fail);

async function applied({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by version`.execute(read);
  return rows.map(({ name }) => name);
}

interface Starting {
  ready: Promise<unknown>;
  /** Opens the database and ends. */
  go(): Promise<{ code: number; errors: string }>;
}

/** Another process, which waits for a word before it begins. */
function anotherProcess(place: Place): Starting {
  const script = `
    import { once } from 'node:events';
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('./open-database.ts'))};
    console.log('ready');
    await once(process.stdin, 'data');
    const db = await openDatabase(${JSON.stringify(place)}, console.error);
    await db.close();
    process.stdin.destroy();
  `;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ready = once(child.stdout, 'data');
  const ended = Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number]>]);
  return {
    ready,
    async go() {
      child.stdin.write('go');
      const [errors, [code]] = await ended;
      return { code, errors };
    },
  };
}

for (const engine of engines) {
  describe(`migrations on ${engine}`, () => {
    for (const [what, older] of Object.entries({ 'nothing was there': 0, 'it was older': 1 })) {
      it(`are applied once, also by processes that start together where ${what}`, async (t) => {
        const { place, remove } = await freshPlace(engine);
        t.after(remove);
        const all = await loadMigrations(engine);
        if (older > 0) await migrate[engine](place, all.slice(0, older));
        const processes = Array.from({ length: 4 }, () => anotherProcess(place));
        await Promise.all(processes.map(({ ready }) => ready));
        const results = await Promise.all(processes.map(({ go }) => go()));
        for (const result of results) assert.deepEqual(result, { code: 0, errors: '' });

        const db = await open(place);
        assert.deepEqual(
          await applied(db),
          all.map(({ name }) => name),
        );
        await db.close();
      });
    }

    it('a database of a newer version is refused and left alone', async (t) => {
      const { place, remove } = await freshPlace(engine);
      t.after(remove);
      const known = await loadMigrations(engine);
      await migrate[engine](place, [
        ...known,
        { version: 9_000, name: 'from-the-future', sql: 'create table future (id integer)' },
      ]);
      await assert.rejects(open(place), (error) => {
        assert.ok(error instanceof StorageUnfit);
        assert.match(error.message, /version 9000.*newer/);
        return true;
      });
    });

    it('number the answers that there were before answers were kept, as read', async (t) => {
      const { place, remove } = await freshPlace(engine);
      t.after(remove);
      const before = `
        insert into users (id, username, username_key, email, created_at, replies_count, posts_count)
        values (1, 'anna_', 'anna_', 'a@example.org', 1, 1, 1), (2, 'boris', 'boris', 'b@example.org', 1, 2, 0);
        insert into posts (id, user_id, text, created_at, replied_post_id, parent_post_id, replies_count)
        values (1, 1, 'корень', 1, null, null, 3), (2, 2, 'раз', 1, 1, 1, 0), (3, 1, 'себе', 1, 1, 1, 0), (4, 2, 'два', 1, 1, 1, 0);
        insert into feed_counts (span, slot, shard, n) values (10, 0, 0, 1), (20, 0, 0, 1);`;
      const known = await loadMigrations(engine);
      await migrate[engine](
        place,
        known.map((one) => (one.version === 5 ? { ...one, sql: before + one.sql } : one)),
      );
      const db = await open(place);
      const { posts, total, keys } = await listAnswersTo(db.read, 1, { page: 1 }, 10);
      assert.deepEqual([posts.map(({ id }) => id), total, keys], [['4', '2'], 2, [2, 1]]);
      assert.equal(await countUnread(db.read, 1), 0);
      assert.deepEqual(await Array.fromAsync(recount(db.read)), []);
      await db.close();
    });

    it('one that fails leaves nothing of itself or of those before it', async (t) => {
      const { place, remove } = await freshPlace(engine);
      t.after(remove);
      const known = await loadMigrations(engine);
      const broken = {
        version: 9_000,
        name: 'broken',
        sql: 'create table half (id integer); insert into half values (1); insert into nowhere values (1);',
      };
      await assert.rejects(migrate[engine](place, [...known, broken]), /nowhere/);
      // Were those before it there, another first one would not be applied.
      const other = { version: 1, name: 'other', sql: 'create table half (id integer)' };
      await migrate[engine](place, [other]);
      await assert.rejects(migrate[engine](place, [other, { ...broken, version: 2 }]), /half/);
    });
  });
}
