import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../demo/random.ts';
import { discussed, idsOf } from '../../../test/kit/discussed.ts';
import { type Engine, engines } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { recount } from '../../commands/verify-data/recount.ts';
import { deleteOwnPost, undoDeletion } from './own-deletion.ts';
import { lockPost } from './writes.ts';

const hour = 3_600;
const day = 24 * hour;

const withdraw = (wall: Wall, id: number) =>
  wall.db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, wall.clock.now));

const restore = (wall: Wall, id: number, userId: number) =>
  wall.db.tx((tx) => undoDeletion(tx, id, { userId, now: wall.clock.now }));

for (const engine of engines) {
  test(`a reply lifts a discussion of two people, each of them once an hour, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
    const [first, second] = [await wall.post(anna, 'Первая'), await wall.post(anna, 'Вторая')];
    await wall.reply(boris, first, 'Один человек');
    await wall.reply(boris, first, 'не поднимает');
    assert.deepEqual(await idsOf(wall), []);
    await wall.reply(anna, first, 'Двое поднимают');
    assert.deepEqual(await idsOf(wall), [first]);
    await wall.reply(boris, second, 'Раз');
    await wall.reply(anna, second, 'Два');
    assert.deepEqual(await idsOf(wall), [second, first]);
    await wall.reply(anna, first, 'Ещё раз до конца часа');
    assert.deepEqual(await idsOf(wall), [second, first]);
    await wall.reply(boris, first, 'А Борис может');
    assert.deepEqual(await idsOf(wall), [first, second]);
    wall.clock.now += hour;
    await wall.reply(anna, second, 'Час прошёл');
    assert.deepEqual(await idsOf(wall), [second, first]);
    wall.clock.now += 8 * day;
    await wall.reply(anna, first, 'За неделю никто, кроме меня');
    assert.deepEqual(await idsOf(wall), [second, first]);
    await wall.reply(boris, first, 'Теперь двое');
    assert.deepEqual(await idsOf(wall), [first, second]);
    assert.deepEqual((await discussed(wall)).lifted_by, [String(boris), String(anna)]);
  });

  test(`a withdrawn reply or root post takes its lift with it and brings it back, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const [anna, boris] = [await wall.person('anna'), await wall.person('boris')];
    const [first, second] = [await wall.post(anna, 'Первая'), await wall.post(anna, 'Вторая')];
    for (const root of [first, second]) {
      await wall.reply(boris, root, 'Раз');
      await wall.reply(anna, root, 'Два');
    }
    const third = await wall.reply(boris, first, 'Три');
    assert.deepEqual(await idsOf(wall), [first, second]);
    await withdraw(wall, third);
    assert.deepEqual(await idsOf(wall), [second, first]);
    assert.ok(await restore(wall, third, boris));
    assert.deepEqual(await idsOf(wall), [first, second]);
    await withdraw(wall, first);
    assert.deepEqual(await idsOf(wall), [second]);
    await wall.reply(boris, third, 'Под удалённой записью');
    assert.ok(await restore(wall, first, anna));
    assert.deepEqual(await idsOf(wall), [first, second]);
    assert.deepEqual(await Array.fromAsync(recount(wall.db.read)), []);
  });

  test(`lifts are those of the rule after replies, deletions and restorations in any order, on ${engine}`, async (t) => {
    const steps = Number(process.env['LIFT_STEPS'] ?? 300);
    assert.deepEqual(await compareWithRule(engine, steps, new Random(11)), []);
    t.diagnostic(`${steps} steps`);
  });
}

interface Known {
  id: number;
  root: number;
  by: number;
  at: number;
  lifted: boolean;
  isShown: boolean;
}

/** Writes, withdraws and restores replies and root posts at random; returns where the list differs from the rule. */
async function compareWithRule(engine: Engine, steps: number, random: Random): Promise<string[]> {
  await using wall = await openWall(engine);
  const people: number[] = [];
  for (const name of ['anna', 'boris', 'vera']) people.push(await wall.person(name));
  const roots = new Map<number, boolean>();
  for (let i = 0; i < 4; i += 1) roots.set(await wall.post(people[0]!, `Запись ${i}`), true);
  const replies: Known[] = [];
  const faults: string[] = [];

  async function write(root: number, by: number): Promise<void> {
    const at = wall.clock.now;
    const inThread = replies.filter((reply) => reply.root === root);
    const isLively = inThread.some((reply) => reply.isShown && reply.by !== by && reply.at >= at - 7 * day);
    const isPaused = inThread.some((reply) => reply.lifted && reply.by === by && reply.at > at - hour);
    const id = await wall.reply(by, root, 'Ответ');
    replies.push({ id, root, by, at, lifted: isLively && !isPaused, isShown: true });
  }

  async function toggle(known: { id: number; isShown: boolean; by: number }): Promise<boolean> {
    if (known.isShown) await withdraw(wall, known.id);
    else if (!(await restore(wall, known.id, known.by))) return false;
    return true;
  }

  for (let step = 0; step < steps; step += 1) {
    const root = random.pick([...roots.keys()]);
    if (random.chance(1 / 12)) {
      const isShown = roots.get(root)!;
      if (await toggle({ id: root, isShown, by: people[0]! })) roots.set(root, !isShown);
    } else if (random.chance(1 / 3) && replies.length > 0) {
      const reply = random.pick(replies.slice(-12));
      if (await toggle(reply)) reply.isShown = !reply.isShown;
    } else if (roots.get(root)) await write(root, random.pick(people));
    if (random.chance(1 / 20)) wall.clock.now += random.pick([hour / 2, day, 8 * day]);
    const liftOf = (id: number) =>
      Math.max(
        0,
        ...replies.filter((reply) => reply.root === id && reply.lifted && reply.isShown).map((reply) => reply.id),
      );
    const expected = [...roots]
      .filter(([id, isShown]) => isShown && liftOf(id) > 0)
      .map(([id]) => id)
      .toSorted((a, b) => liftOf(b) - liftOf(a));
    const found = await idsOf(wall);
    if (String(found) !== String(expected))
      faults.push(`step ${step}: ${String(found)} instead of ${String(expected)}`);
  }
  for await (const difference of recount(wall.db.read)) faults.push(JSON.stringify(difference));
  return faults;
}
