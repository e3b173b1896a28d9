import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseReader } from './connection.ts';

const response = (status: number, body: string): Buffer =>
  Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(body)}\r\nDate: now\r\n\r\n${body}`);

/** The statuses read from these bytes in chunks of `size`. */
function read(bytes: Buffer, size: number): number[] {
  const reader = new ResponseReader();
  const statuses: number[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    if (reader.read(bytes.subarray(at, at + size))) statuses.push(reader.status);
  }
  return statuses;
}

test('separates responses wherever their bytes are split', () => {
  const responses = [response(200, 'Привет\r\n\r\nстена'), response(404, ''), response(200, 'x'.repeat(5_000))];
  for (const size of [1, 2, 3, 7, 20, 64, 1_000]) {
    // Without pipelining a response never shares a chunk with the next one.
    assert.deepEqual(
      responses.flatMap((bytes) => read(bytes, size)),
      [200, 404, 200],
    );
  }
  assert.deepEqual(read(Buffer.concat(responses), 1), [200, 404, 200]);
});

test('rejects responses that it cannot measure', () => {
  assert.throws(() => new ResponseReader().read(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /without content-length/);
  assert.throws(() => new ResponseReader().read(Buffer.concat([response(200, 'a'), response(200, 'b')])), /More bytes/);
  assert.throws(() => new ResponseReader().read(Buffer.alloc(5_000, 'a')), /does not end/);
});
