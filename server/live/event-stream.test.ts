import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { createUser } from '../../test/kit/create-user.ts';
import { createPost } from '../features/posts/post-writes.ts';
import { Broadcast, type Subscriber } from './broadcast.ts';
import { EventStream } from './event-stream.ts';
import { StreamEvent } from './stream-event.ts';

/** The port of a server whose streams get four events and end. */
async function fourEvents(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => {
    const stream = new EventStream(response, [], undefined);
    stream.send(new StreamEvent('второе,'));
    stream.send(new StreamEvent('third,'));
    stream.begin([], 'first,');
    stream.send(new StreamEvent('четвёртое'));
    stream.end();
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('sends events that arrive before the stream begins after its first event', async (t) => {
  const response = await fetch(`http://127.0.0.1:${await fourEvents(t)}`);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(await response.text(), 'first,второе,third,четвёртое');
});

test('answers the next request on the connection after the end of a stream', async (t) => {
  const socket = connect(await fourEvents(t), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: wall\r\n\r\n');
  let received = String((await once(socket, 'data'))[0]);
  socket.write('GET / HTTP/1.1\r\nhost: wall\r\nconnection: close\r\n\r\n');
  received += await text(socket);
  assert.equal(received.match(/^HTTP\/1\.1 200 OK\r\n/gm)?.length, 2, received);
  assert.equal(received.match(/\r\n12\r\nчетвёртое\r\n0\r\n\r\n/g)?.length, 2, received);
});

test('sends events without chunks to a client of HTTP/1.0', async (t) => {
  const socket = connect(await fourEvents(t), '127.0.0.1');
  socket.write('GET / HTTP/1.0\r\n\r\n');
  const [head, body] = (await text(socket)).split('\r\n\r\n');
  assert.doesNotMatch(head!, /transfer-encoding/i);
  assert.equal(body, 'first,второе,third,четвёртое');
});

test('sends a change in parts, between which the process does other work', async () => {
  await using fresh = await openFresh('sqlite');
  const { db } = fresh;
  await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 0 }));
  const viewer = { userId: 1, sessionId: 1 };
  const spend = (): void => {
    for (const began = performance.now(); performance.now() - began < 2;);
  };
  const subscribers = Array.from({ length: 60 }, (_, i): Subscriber => ({
    watched: [],
    viewer: i % 2 === 0 ? viewer : undefined,
    send: () => {},
    end: () => {},
  }));
  const ownOf = async () => new Map(subscribers.filter((each) => each.viewer).map((each) => [each, { unread: 1 }]));
  const broadcast = new Broadcast(db, pino({ level: 'silent' }), ownOf);
  for (const each of subscribers) await broadcast.add(each);
  let sent = 0;
  let turns = 0;
  const counting = Promise.withResolvers<void>();
  for (const each of subscribers)
    each.send = () => {
      spend();
      sent += 1;
      if (sent === subscribers.length) counting.resolve();
    };
  const count = (): void => {
    if (sent > 0) turns += 1;
    if (sent < subscribers.length) setImmediate(count);
  };
  await db.tx((tx) => createPost(tx, { userId: 1, text: 'всем', now: 1 }));
  count();
  await counting.promise;
  broadcast.close();
  // Two parts of 2 ms take longer than the 3 ms of a turn.
  assert.ok(turns >= subscribers.length / 2 - 2, `${turns} turns`);
});

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
    // The next subscriber is added while the refused ones have not been removed yet.
    await broadcast.add(subscriber());
    broadcast.close();
  });
}
