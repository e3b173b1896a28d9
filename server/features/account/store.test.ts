import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines, openFresh } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { findOrCreateUser } from '../sign-in/store.ts';

for (const engine of engines) {
  describe(`accounts on ${engine}`, () => {
    test('one of a hundred concurrent claims of a name, in any case, wins', async () => {
      const { db, close } = await openFresh(engine);
      const name = 'anna_petrova';
      const variant = (i: number): string =>
        [...name].map((letter, at) => ((i >> (at % 7)) & 1 ? letter.toUpperCase() : letter)).join('');
      const claims = await Promise.allSettled(
        Array.from({ length: 100 }, (_, i) =>
          db.tx((tx) => createUser(tx, { username: variant(i), email: `person${i}@example.org`, now: 1 })),
        ),
      );
      assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 1);
      await close();
    });

    test('concurrent registrations of an address create one account', async () => {
      await using fresh = await openFresh(engine);
      const found = await Promise.all(
        Array.from({ length: 50 }, () => fresh.db.tx((tx) => findOrCreateUser(tx, 'anna@example.org', 1))),
      );
      assert.equal(new Set(found.map(({ userId }) => userId)).size, 1);
      assert.equal(found.filter(({ isNew }) => isNew).length, 1);
    });
  });
}
