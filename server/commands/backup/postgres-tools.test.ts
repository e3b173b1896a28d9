import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cannotCopy, done, freshPlaceToCopy } from '../../../test/kit/backup-process.ts';
import { openDatabase } from '../../db/open-database.ts';
import { connectionOf } from './postgres-tools.ts';

const skipReason = (await cannotCopy('postgres')) ?? false;

test('takes the password out of the address and leaves the rest as it is', () => {
  for (const [address, dbname, password] of [
    ['postgres://a:se%20cret@db.example/wall', 'postgres://a@db.example/wall', 'se cret'],
    ['postgres://a@db.example/wall?x=1%202&password=se+cret', 'postgres://a@db.example/wall?x=1%202', 'se cret'],
    ['postgres://a@db.example/wall?x=1%202%2B3', 'postgres://a@db.example/wall?x=1%202%2B3', undefined],
  ] as const) {
    const env = password === undefined ? {} : { PGPASSWORD: password };
    assert.deepEqual(connectionOf(address), { dbname: `--dbname=${dbname}`, env }, address);
  }
});

test('copies a database whose address has settings with spaces', { skip: skipReason }, async (t) => {
  const { place, remove } = await freshPlaceToCopy('postgres');
  t.after(remove);
  const url = new URL(place.databaseUrl!);
  url.search = 'options=-c%20lock_timeout%3D9000';
  const spaced = { ...place, databaseUrl: url.href };
  await (await openDatabase(spaced, assert.fail)).close();
  const file = join(place.dataDir, 'wall.backup');
  assert.match(await done(spaced, 'backup', file), /^Копия сделана/);
});
