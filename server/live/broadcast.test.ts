import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { Broadcast, type Subscriber } from './broadcast.ts';

for (const engine of engines) {
  test(`a query that failed for one subscriber does not fail for the next ones on ${engine}`, async () => {
    await using fresh = await openFresh(engine);
    const closed = await openFresh(engine);
    await closed.close();
    let { read } = closed.db;
    const db = {
      ...fresh.db,
      get read() {
        return read;
      },
    };
    const broadcast = new Broadcast(db, pino({ level: 'silent' }), async () => new Map());
    const subscriber = (): Subscriber => ({ watched: [], viewer: undefined, send: () => {}, end: () => {} });
    const refused = [subscriber(), subscriber()];
    for (const each of await Promise.allSettled(refused.map((one) => broadcast.add(one)))) {
      assert.equal(each.status, 'rejected');
    }
    ({ read } = fresh.db);
    // The first ones have not been removed yet.
    await broadcast.add(subscriber());
    broadcast.close();
  });
}
