import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { createUser } from '../features/account/store.ts';
import { findMatches } from './matches.ts';
import { sectionSize } from './lexemes.ts';
import { addToIndex, rangeSize } from './post-words.ts';
import { wordsIn } from './words.ts';

for (const engine of engines) {
  test(`finds posts of all ranges of ids on ${engine}`, async () => {
    await using opened = await openFresh(engine);
    const { db } = opened;
    const ids = [5, rangeSize - 1, rangeSize, 3 * rangeSize, 5 * rangeSize + 7, 6 * rangeSize];
    await db.tx(async (tx) => {
      const author = await createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 });
      for (const id of ids) addToIndex(tx, { id, user_id: author, text: 'ёлка' });
    });
    const lexemes = wordsIn('ёлки').map(({ stem }) => stem);
    const find = (from: number, before: number, limit: number) =>
      findMatches(db.read, engine, lexemes, { from, before, limit });
    assert.deepEqual(await find(0, 7 * rangeSize, 10), ids.toReversed());
    assert.deepEqual(await find(0, 25 * rangeSize, 10), ids.toReversed());
    assert.deepEqual(await find(0, 100 * rangeSize, 4), ids.toReversed().slice(0, 4));
    assert.deepEqual(await find(2 * rangeSize, 100 * rangeSize, 10), ids.slice(3).toReversed());
    assert.deepEqual(await find(0, 6 * rangeSize, 3), [5 * rangeSize + 7, 3 * rangeSize, rangeSize]);
    assert.deepEqual(await find(rangeSize, 3 * rangeSize + 1, 10), [3 * rangeSize, rangeSize]);
    assert.deepEqual(await find(6, 8, 10), []);
    const later = [sectionSize - 1, sectionSize, 2 * sectionSize + 5];
    await db.tx(async (tx) => {
      for (const id of later) addToIndex(tx, { id, user_id: 1, text: 'ёлка' });
    });
    assert.deepEqual(await find(0, 3 * sectionSize, 10), [...ids, ...later].toReversed());
    assert.deepEqual(await find(6 * rangeSize, 2 * sectionSize, 2), [sectionSize, sectionSize - 1]);
    assert.deepEqual(await find(sectionSize, sectionSize + 1, 10), [sectionSize]);
  });
}
