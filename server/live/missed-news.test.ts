import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { deleteAccount, publish, register } from '../../test/kit/member.ts';
import { liveWall, reader, untilPositioned } from '../../test/kit/live-wall.ts';
import { openWall, type Wall } from '../../test/kit/wall.ts';
import { changeText, lockPost } from '../features/posts/writes.ts';

/** Like as many writes that change a count, of which the process is not notified. */
async function countChanges(wall: Wall, changes: number): Promise<void> {
  const row = { kind: 'counted', post_id: 1, owner_id: 1, replied_post_id: null, created_at: 1 } as const;
  await wall.db.tx(async (tx) => {
    for (let i = 0; i < changes; i += 1) await tx.db.insertInto('changes').values(row).execute();
  });
  await untilPositioned(wall);
}

async function positionOf(wall: Wall): Promise<string> {
  await untilPositioned(wall);
  return (await wall.get('/api/v1/events')).json.position;
}

for (const engine of engines) {
  describe(`missed changes on ${engine}`, () => {
    test('of one position are read once, and those of another count as many reads', async () => {
      await using wall = await openWall(engine, { READS_PER_MINUTE: '70' });
      const anna = await wall.person('anna_petrova');
      const positions: string[] = [];
      for (let i = 0; i < 4; i += 1) {
        await wall.post(anna, `${i}`);
        positions.push(await positionOf(wall));
      }
      await countChanges(wall, 290);
      const ask = async (after: string) => (await wall.get(`/api/v1/events?after=${after}`)).status;
      for (let i = 0; i < 5; i += 1) assert.equal(await ask(positions[0]!), 200);
      assert.deepEqual([await ask(positions[1]!), await ask(positions[2]!), await ask(positions[3]!)], [200, 200, 429]);
    });

    test('are replaced by a reset when there are more than 300 or their texts are long', async (t) => {
      const wall = await liveWall(t, engine);
      const anna = await wall.person('anna_petrova');
      const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => wall.post(anna, `${i}`)));
      const first = async (after: string) => (await reader(t, `${wall.url}?after=${after}`)).received[0]!.changes;
      const edit = (some: readonly number[]) =>
        wall.db.tx(async (tx) => {
          for (const id of some) await changeText(tx, (await lockPost(tx, id))!, `${id} ${'🧱'.repeat(490)}`, 1);
        });
      const start = await positionOf(wall);
      await countChanges(wall, 300);
      assert.equal((await first(start)).reset, false);
      await countChanges(wall, 1);
      const { reset, counts, position } = await first(start);
      assert.deepEqual([reset, counts], [true, []]);
      await edit(ids.slice(50));
      await untilPositioned(wall);
      assert.equal((await first(position)).changed.length, 50);
      await edit(ids.slice(0, 50));
      await untilPositioned(wall);
      const long = await first(position);
      assert.deepEqual([long.reset, long.changed], [true, []]);
    });

    test('contain what was written since the last reading, and nothing of a deleted account', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const { id } = await publish(anna, 'прежний текст');
      const start = await positionOf(wall);
      const texts = async (): Promise<string[]> => {
        await untilPositioned(wall);
        const { json } = await wall.get(`/api/v1/events?after=${start}`);
        return json.changed.map(({ text }: { text: string }) => text);
      };
      for (const text of ['новый текст', 'ещё новее']) {
        await anna.send('PATCH', `/posts/${id}`, { text });
        assert.deepEqual([await texts(), await texts()], [[text], [text]]);
      }
      await deleteAccount(wall, anna);
      assert.deepEqual(await texts(), []);
    });
  });
}
