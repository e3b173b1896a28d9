import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import { engines, type OpenedDatabase, openFresh, openPlace } from '../../test/kit/engines.ts';
import { addUser, assertReported, isNamed, patience, type Received } from '../../test/kit/reported-changes.ts';
import { withinTurns } from '../../test/kit/turns.ts';
import type { Database, Tag } from './database.ts';
import { sqliteFile } from './open-database.ts';

for (const engine of engines) {
  describe(`changes on ${engine}`, () => {
    let opened: OpenedDatabase;
    let other: Database;
    const received: Received[] = [];
    before(async () => {
      opened = await openFresh(engine);
      other = await openPlace(opened.place);
      // Opening the second connection may also be reported as a write.
      await opened.db.catchUp();
      opened.db.onChange((tags) => received.push(tags));
    });
    afterEach(() => received.splice(0));
    after(async () => {
      await other.close();
      await opened.close();
    });

    it('are reported once, before the write is acknowledged and after they can be read', async () => {
      let seen: Promise<Array<{ username: string }>> | undefined;
      opened.db.onChange(() => {
        seen ??= opened.db.read.selectFrom('users').select('username').execute();
      });
      await opened.db.tx(async (tx) => {
        tx.touch('feed', 'user:1');
        await addUser(tx, 'first');
        tx.touch('posts-of:1');
        assert.deepEqual(received, []);
      });
      assert.deepEqual(received, [['feed', 'user:1', 'posts-of:1']]);
      assert.deepEqual(
        (await seen)?.map(({ username }) => username),
        ['first'],
      );
      await opened.db.catchUp();
      assert.equal(received.length, 1);
    });

    it('of a failed transaction are not reported', async () => {
      const failed = opened.db.tx(async (tx) => {
        tx.touch('feed');
        await addUser(tx, 'second');
        throw new Error('refused');
      });
      await assert.rejects(failed, /refused/);
      await opened.db.catchUp();
      assert.deepEqual(received, []);
    });

    it('of another process are reported within a second', async () => {
      await other.tx(async (tx) => {
        await addUser(tx, 'third');
        tx.touch('feed', 'posts-of:3');
      });
      const isExpected = (tags: Received) => engine === 'sqlite' || isNamed(tags);
      const tags = await withinTurns(patience, () => received.find(isExpected));
      assert.deepEqual(tags, engine === 'sqlite' ? 'everything' : ['feed', 'posts-of:3']);
      assert.equal(opened.db.receivesForeignWrites, true);
    });

    it('of another process have been reported when this one has caught up', async () => {
      for (let i = 0; i < 20; i += 1) {
        await other.tx(async (tx) => {
          await addUser(tx, `caught_${i}`);
          tx.touch(`user:${i}`);
        });
        assert.equal(await opened.db.catchUp(), true);
        const reported = received.splice(0);
        if (engine === 'sqlite') assert.deepEqual(reported, ['everything']);
        else assertReported(reported, [`user:${i}`]);
      }
    });

    it('are reported as everything when there are too many to name', async () => {
      const tags = Array.from({ length: 2_000 }, (_, i): Tag => `post:${i}`);
      await other.tx(async (tx) => {
        await addUser(tx, 'fourth');
        tx.touch(...tags);
      });
      assert.equal(await withinTurns(patience, () => received[0]), 'everything');
    });
  });
}

describe('changes on sqlite', () => {
  it('do not include checkpoints of the WAL', async (t) => {
    const { db, place, close } = await openFresh('sqlite');
    t.after(close);
    const received: Received[] = [];
    db.onChange((tags) => received.push(tags));
    const author = await db.tx((tx) => addUser(tx, 'author'));
    const post = {
      user_id: author,
      text: 'x'.repeat(500),
      created_at: 1,
      parent_post_id: null,
      replied_post_id: null,
    };
    const thousand = Array.from({ length: 1_000 }, () => post);
    for (let i = 0; i < 40; i += 1) {
      await db.tx((tx) => tx.db.insertInto('posts').values(thousand).execute());
    }
    await withinTurns(10 * patience, () => (statSync(sqliteFile(place.dataDir)).size > 10_000_000 ? true : undefined));
    await db.tx((tx) => addUser(tx, 'reader'));
    await db.catchUp();
    assert.deepEqual(received, []);
  });
});
