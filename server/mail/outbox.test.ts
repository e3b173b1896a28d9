import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPlace, openPlace } from '../../test/kit/engines.ts';
import { queueMail, lockDueMails } from './outbox.ts';

test('locks each mail for one of several processes', async (t) => {
  const { place, remove } = await freshPlace('postgres');
  const processes = [await openPlace(place), await openPlace(place)] as const;
  t.after(async () => {
    for (const db of processes) await db.close();
    await remove();
  });
  const mail = { operationId: null, recipient: 'anna@example.org', sealed: '', now: 1, giveUpAt: 100 };
  await processes[0].tx(async (tx) => {
    for (let i = 0; i < 20; i += 1) await queueMail(tx, mail);
  });
  const pollers = [...processes, ...processes, ...processes];
  const taken = await Promise.all(
    pollers.map((db) => lockDueMails(db, { now: 1, leaseSeconds: 15, dueWithinSeconds: 120, atMost: 20 })),
  );
  assert.equal(taken.flat().length, 20);
});
