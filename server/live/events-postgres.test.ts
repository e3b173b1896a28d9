import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { migratedStorage } from '../../test/kit/engines.ts';
import { listening, postsIn, reader, twoProcesses } from '../../test/kit/live-wall.ts';
import { register } from '../../test/kit/member.ts';
import { ticksUntil } from '../../test/kit/polling.ts';
import { wallOver } from '../../test/kit/wall.ts';
import { openDatabase } from '../db/open-database.ts';
import { readTo } from '../features/reading/reading-store.ts';
import { feedList } from './own-changes.ts';

describe('events on PostgreSQL', () => {
  test('one process reports the writes of another', async (t) => {
    const { here, there } = await twoProcesses(t);
    const anna = await here.person('anna_petrova');
    const listener = await reader(t, there.url);
    const id = await here.post(anna, 'отсюда');
    assert.ok((await ticksUntil(listener.until((received) => postsIn(received).includes(`${id}`)))) < 100);
    // A position of one process is valid in the other.
    const later = await there.post(anna, 'оттуда');
    const moved = await reader(t, here.url, { 'last-event-id': listener.received.at(-1)!.id });
    assert.deepEqual(postsIn(await moved.until((received) => postsIn(received).length > 0)), [`${later}`]);
  });

  test('a transaction that began earlier and ends later is not missed', async (t) => {
    const { here: wall } = await twoProcesses(t);
    const person = await register(wall);
    const anna = Number(person.id);
    const listener = await reader(t, wall.url, { cookie: `session=${person.cookies.get('session')}` });
    const [inserted, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = wall.db.tx(async (tx) => {
      const row = { kind: 'new', post_id: 77, owner_id: anna, replied_post_id: null, created_at: 1 } as const;
      await tx.db.insertInto('changes').values(row).execute();
      inserted.resolve();
      await finished.promise;
    });
    await inserted.promise;
    const quick = await wall.post(anna, 'быстрая');
    await wall.db.tx((tx) => readTo(tx, { userId: anna, list: feedList, postId: quick, now: 1 }));
    try {
      // A change waits for transactions with lower numbers. A reading position does not wait.
      await listener.until((received) => received.some(({ changes }) => changes.reading?.length));
      assert.deepEqual(postsIn(listener.received), []);
    } finally {
      // Tests that run beside this one wait for older transactions of the server.
      finished.resolve();
      await slow;
    }
    await listener.until((received) => postsIn(received).length === 2);
    assert.deepEqual(postsIn(listener.received), ['77', `${quick}`]);
  });
});

test('events on PostgreSQL: after a move to another server, whose positions are lower, readers get a reset at once', async (t) => {
  const { storage, remove } = await migratedStorage('postgres');
  const db = await openDatabase(storage, () => {});
  t.after(async () => {
    await db.close();
    await remove();
  });
  const wall = await listening(t, await wallOver(db));
  const anna = await wall.person('anna_petrova');
  await wall.post(anna, 'на старом');
  // The positions become those of a server that has had more transactions.
  await sql`update changes set position = position + 1000000`.execute(db.read);
  await sql`create or replace view visible_changes as select * from changes`.execute(db.read);
  const listener = await reader(t, wall.url);
  await sql`truncate changes`.execute(db.read);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db.read);
  const [, event] = await listener.until((received) => received.length > 1);
  assert.equal(event!.changes.reset, true);
  const id = await wall.post(anna, 'на новом');
  await listener.until(
    (received) => postsIn(received).includes(`${id}`) || received.filter(({ changes }) => changes.reset).length > 1,
  );
});
