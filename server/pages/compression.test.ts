import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import zlib from 'node:zlib';
import { openWall } from '../../test/kit/wall.ts';

test('a page is compressed in another thread, once for concurrent readers, with the length and the tag of its bytes', async () => {
  await using wall = await openWall('sqlite');
  await wall.post(await wall.person('anna_petrova'), 'запись');
  const ask = (headers: Record<string, string>) => wall.app.inject({ url: '/', headers });
  const plain = await ask({});

  const sync = mock.method(zlib, 'brotliCompressSync');
  const elsewhere = mock.method(zlib, 'brotliCompress');
  syncBuiltinESMExports();
  try {
    await ask({});
    const all = await Promise.all(Array.from({ length: 8 }, () => ask({ 'accept-encoding': 'gzip, br' })));
    for (const { headers, rawPayload } of all) {
      assert.equal(headers['content-encoding'], 'br');
      assert.equal(headers['content-length'], String(rawPayload.length));
      assert.equal(headers.etag, plain.headers.etag);
      assert.equal(zlib.brotliDecompressSync(rawPayload).toString(), plain.body);
    }
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': String(plain.headers.etag) });
    assert.equal(again.statusCode, 304);
    assert.equal(sync.mock.callCount(), 0);
    assert.equal(elsewhere.mock.callCount(), 1);
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
});
