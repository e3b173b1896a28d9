import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { EventStream } from './event-stream.ts';

test('sends events that arrive before the stream begins after its first event', async (t) => {
  const server = createServer((_request, response) => {
    const stream = new EventStream(response, [], undefined);
    stream.send(Buffer.from('second,'));
    stream.send(Buffer.from('third,'));
    stream.begin([], Buffer.from('first,'));
    stream.send(Buffer.from('fourth'));
    stream.end();
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(await response.text(), 'first,second,third,fourth');
});
