import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { freshOrdered, orders, showNumbers } from '../../../test/kit/orders.ts';
import { spawnNode } from '../../../test/kit/node-process.ts';
import { changesAfter, latestPosition, newestStoredPosition } from '../../live/change-log.ts';
import { type Changed, type Database, StorageUnfit } from '../database.ts';
import type { Schema } from '../schema.ts';
import { openPostgres } from './open-postgres.ts';

/** Several processes on one PostgreSQL whose transactions have no numbers, until the test ends. */
async function processes(t: TestContext, count: number, pollMs = 1): Promise<{ url: string; databases: Database[] }> {
  const { storage, remove } = await freshOrdered('sequencer');
  const url = storage.databaseUrl!;
  const databases: Database[] = [];
  for (let i = 0; i < count; i += 1) databases.push(await openPostgres(url, () => {}, { pollMs }));
  t.after(async () => {
    await Promise.all(databases.map((db) => db.close()));
    await remove();
  });
  return { url, databases };
}

const write = (db: Database, id: number, pause = 0): Promise<void> =>
  db.tx(async (tx) => {
    const row = { kind: 'new', post_id: id, owner_id: 1, replied_post_id: null, created_at: 1 } as const;
    await tx.db.insertInto('changes').values(row).execute();
    tx.touch(`post:${id}`);
    await sleep(pause);
  });

async function changesOf(read: Kysely<Schema>, after: number): Promise<Array<[position: number, id: number]>> {
  const rows = await changesAfter(read, after, 10_000);
  return rows!.map(({ position, post_id: id }) => [position, id]);
}

describe('the sequencer on postgres', () => {
  it('gives all processes the same changes in the same order, however long transactions take', async (t) => {
    const { databases } = await processes(t, 3);
    const ended = new AbortController();
    const followed = databases.map(async ({ read }) => {
      const seen: Array<[number, number]> = [];
      for (;;) {
        const isLast = ended.signal.aborted;
        const rows = await changesOf(read, seen.at(-1)?.[0] ?? 0);
        seen.push(...rows);
        if (isLast) return seen;
      }
    });
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let i = 0; i < 25; i += 1) {
          await write(databases[writer % 3]!, writer * 1_000 + i + 1, Math.random() < 0.1 ? 60 : Math.random() * 5);
        }
      }),
    );
    assert.equal(await databases[0]!.catchUp(), true);
    ended.abort();
    const [one, ...others] = await Promise.all(followed);
    // The first row is that of the beginning of the log.
    assert.equal(one!.length, 1 + 12 * 25);
    assert.equal(new Set(one!.map(([, id]) => id)).size, one!.length);
    for (const other of others) assert.deepEqual(other, one);
  });

  it('goes on while another process is stopped at any moment, and after it was killed', async (t) => {
    const { url, databases } = await processes(t, 2);
    const [here, there] = databases as [Database, Database];
    const script = `
      const { openPostgres } = await import(${JSON.stringify(import.meta.resolve('./open-postgres.ts'))});
      await openPostgres(${JSON.stringify(url)}, () => {}, { pollMs: 0 });
      console.log('polls');`;
    const other = spawnNode(['--input-type=module', '--eval', script], { env: {} });
    t.after(() => other.kill('SIGKILL'));
    await once(other.stdout!, 'data');
    const emitted: Changed[] = [];
    there.onChange((changed) => emitted.push(changed));
    const isTold = async (id: number): Promise<void> => {
      await write(here, id);
      assert.equal(await there.catchUp(), true, 'another process holds the turn');
      assert.deepEqual(emitted.splice(0), [[`post:${id}`]]);
    };
    for (let id = 1; id <= 40; id += 1) {
      // When the other process is stopped, it may be numbering rows.
      const writing = write(there, 1_000 + id);
      await sleep(Math.random() * 4);
      other.kill('SIGSTOP');
      await writing;
      emitted.length = 0;
      await isTold(id);
      other.kill('SIGCONT');
    }
    other.kill('SIGKILL');
    await isTold(41);
  });

  it('gives the changes of one turn in the order of the posts, and is asked again for those without a number', async (t) => {
    const { databases } = await processes(t, 1, 3_600_000);
    const [db] = databases as [Database];
    const position = await latestPosition(db.read);
    await write(db, 2);
    await write(db, 1);
    assert.deepEqual(await changesOf(db.read, position), []);
    assert.ok((await newestStoredPosition(db.read)) > position);
    await db.catchUp();
    const changes = await changesOf(db.read, position);
    assert.deepEqual(
      changes.map(([, id]) => id),
      [1, 2],
    );
    assert.equal(await newestStoredPosition(db.read), await latestPosition(db.read));
  });

  it('is followed from anew when numbers were lost in a fail-over', async (t) => {
    const { databases } = await processes(t, 2);
    const [here, there] = databases as [Database, Database];
    for (let id = 1; id < 4; id += 1) {
      await write(here, id);
      await there.catchUp();
    }
    const emitted: Changed[] = [];
    there.onChange((changed) => emitted.push(changed));
    await sql`update sequencer set last = 1`.execute(here.read);
    await there.catchUp();
    assert.equal(emitted[0], 'everything');
  });

  it('is chosen where transactions have no numbers, and stays with the tables', async (t) => {
    for (const order of orders) {
      const { storage, remove } = await freshOrdered(order);
      t.after(remove);
      const open = () => openPostgres(storage.databaseUrl!, assert.fail);
      const chosen = async (db: Database) => {
        const found = await sql<{ name: string | null }>`select to_regclass('sequencer')::text as name`.execute(
          db.read,
        );
        await write(db, 1);
        await db.close();
        return found.rows[0]!.name === null ? 'transactions' : 'sequencer';
      };
      assert.equal(await chosen(await open()), order);
      await showNumbers(storage.databaseUrl!);
      assert.equal(await chosen(await open()), order);
    }
  });

  it('has no standbys: they are refused with one line', async (t) => {
    const { url } = await processes(t, 1);
    await assert.rejects(
      openPostgres(url, () => {}, { readUrls: [url] }),
      (error) => {
        assert.ok(error instanceof StorageUnfit);
        assert.match(error.message, /^DATABASE_READ_URL: [^\n]+$/);
        return true;
      },
    );
  });
});
