import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageUnavailable } from '../database.ts';
import { asStorageError } from './postgres-errors.ts';

test('a network that is down or without a route to PostgreSQL makes the storage unavailable', () => {
  for (const code of ['ENETUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EADDRNOTAVAIL', 'EHOSTUNREACH']) {
    assert.ok(asStorageError(Object.assign(new Error(code), { code })) instanceof StorageUnavailable, code);
  }
});

test('an error in the program is passed on', () => {
  const error = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  assert.equal(asStorageError(error), error);
});
