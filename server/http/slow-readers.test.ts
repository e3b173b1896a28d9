import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeStalledConnections } from './connections.ts';

const patienceMs = 1_000;
const chunk = Buffer.alloc(256 * 1024);
/** More than the socket buffers of the system hold. */
const chunks = 80;

test('disconnects clients that read nothing of a response, not slow ones', async () => {
  const server = createServer((_request, response) => {
    pipeline(Readable.from(Array.from({ length: chunks }, () => chunk)), response).catch(() => {});
  });
  closeStalledConnections(server, patienceMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n\r\n');
    return socket;
  };

  const [deaf, idle] = [ask().pause(), connect((server.address() as AddressInfo).port, '127.0.0.1').resume()];
  const [, gone] = (await once(server, 'request')) as [unknown, ServerResponse];
  await once(gone, 'close');
  assert.equal(gone.writableFinished, false, 'the response was incomplete');
  deaf.destroy();

  let taken = 0;
  for await (const some of ask()) {
    taken += (some as Buffer).length;
    await sleep(6);
  }
  assert.ok(taken > chunks * chunk.length, `disconnected after ${taken} bytes`);
  assert.equal(idle.destroyed, false, 'an idle connection is not closed');
  idle.destroy();
  server.close();
});
