import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPlace } from '../../test/engines.ts';
import { openDatabase } from '../db/open-database.ts';
import { queueMail, takeDueMails } from './outbox.ts';

test('of processes that look for mails at the same time one takes each', async (t) => {
  const { place, remove } = await freshPlace('postgres');
  const processes = [await openDatabase(place, () => {}), await openDatabase(place, () => {})] as const;
  t.after(async () => {
    for (const db of processes) await db.close();
    await remove();
  });
  const mail = { operationId: null, recipient: 'anna@example.org', sealed: '', now: 1, giveUpAt: 100 };
  await processes[0].tx(async (tx) => {
    for (let i = 0; i < 20; i += 1) await queueMail(tx, mail);
  });
  const looks = [...processes, ...processes, ...processes];
  const taken = await Promise.all(looks.map((db) => takeDueMails(db, { now: 1, leaseSeconds: 15, atMost: 20 })));
  assert.equal(taken.flat().length, 20);
});
