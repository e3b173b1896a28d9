import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unencryptedHost } from './encryption.ts';

test('names the host of an unencrypted connection', () => {
  const clear: Array<[string, string]> = [
    ['postgres://stena:hidden@db.example/stena', 'db.example'],
    ['postgres://stena@10.0.0.5:6432/stena', '10.0.0.5'],
    ['postgres://stena@[2001:db8::1]/stena', '2001:db8::1'],
    ['postgres://stena@db.example/stena?sslmode=disable', 'db.example'],
    ['postgres://stena@localhost/stena?host=db.example', 'db.example'],
  ];
  for (const [url, host] of clear) assert.equal(unencryptedHost(url), host, url);
  for (const url of [
    'postgres://stena@db.example/stena?sslmode=verify-full',
    'postgres://stena@db.example/stena?ssl=true',
    'postgres://stena@localhost/stena',
    'postgres://stena@127.0.0.1/stena',
    'postgres://stena@127.1.2.3/stena',
    'postgres://stena@[::1]/stena',
    'postgres://stena@/stena?host=/var/run/postgresql',
    'postgres://stena@%2Fvar%2Frun%2Fpostgresql/stena',
  ])
    assert.equal(unencryptedHost(url), undefined, url);
});
