import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { createUser } from '../../test/kit/create-user.ts';
import { findMatches } from './matches.ts';
import { sectionSizes } from './lexemes.ts';
import { addToIndex } from './post-words.ts';
import { stemOf } from './words.ts';

for (const engine of engines) {
  test(`finds posts of all sections of ids, newest first, on ${engine}`, async () => {
    await using opened = await openFresh(engine);
    const { db } = opened;
    const sectionSize = sectionSizes[engine];
    const ids = [5, sectionSize - 1, sectionSize, 3 * sectionSize, 5 * sectionSize + 7, 6 * sectionSize];
    await db.tx(async (tx) => {
      const author = await createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 });
      for (const id of ids) addToIndex(tx, { id, user_id: author, text: 'ёлка' });
    });
    const lexemes = [stemOf('елки')];
    const find = (from: number, before: number, limit: number) =>
      findMatches(db.read, engine, lexemes, { from, before, limit });
    assert.deepEqual(await find(0, 7 * sectionSize, 10), ids.toReversed());
    assert.deepEqual(await find(0, 25 * sectionSize, 10), ids.toReversed());
    assert.deepEqual(await find(0, 100 * sectionSize, 4), ids.toReversed().slice(0, 4));
    assert.deepEqual(await find(2 * sectionSize, 100 * sectionSize, 10), ids.slice(3).toReversed());
    assert.deepEqual(await find(0, 6 * sectionSize, 3), [5 * sectionSize + 7, 3 * sectionSize, sectionSize]);
    assert.deepEqual(await find(sectionSize, 3 * sectionSize + 1, 10), [3 * sectionSize, sectionSize]);
    assert.deepEqual(await find(sectionSize, sectionSize + 1, 10), [sectionSize]);
    assert.deepEqual(await find(6, 8, 10), []);
  });
}
