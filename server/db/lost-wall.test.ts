import assert from 'node:assert/strict';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { errorOf, outputOf, runCommand } from '../../test/kit/command-process.ts';
import { type Engine, engines, freshStorage, type StorageSettings } from '../../test/kit/engines.ts';
import { startServer } from '../../test/kit/server-process.ts';
import { storedSecret } from '../secrets.ts';
import { refuseLostWall } from './lost-wall.ts';
import { hasWall, openDatabase, sqliteFile } from './open-database.ts';
import { connect } from './postgres/connect.ts';

async function placeFor(t: TestContext, engine: Engine): Promise<StorageSettings> {
  const { storage, remove } = await freshStorage(engine);
  t.after(remove);
  return storage;
}

const begin = async (storage: StorageSettings) => (await openDatabase(storage, assert.fail)).close();
const isLost = (storage: StorageSettings, copyTo?: string) => refuseLostWall({ ...storage, copyTo });

async function lose({ databaseUrl, dataDir }: StorageSettings): Promise<void> {
  if (!databaseUrl) return rm(sqliteFile(dataDir));
  const client = await connect(databaseUrl);
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

for (const engine of engines) {
  test(`no empty wall begins on ${engine} beside a copy of a lost one, except with new-wall`, async (t) => {
    const [storage, elsewhere] = [await placeFor(t, engine), await placeFor(t, 'sqlite')];
    await isLost(storage);
    await begin(storage);
    const copy = join(elsewhere.dataDir, 'night.backup');
    await writeFile(copy, '');
    await isLost(storage, elsewhere.dataDir);
    await lose(storage);
    await assert.rejects(startServer(storage, { COPY_TO: elsewhere.dataDir }), ({ message }: Error) => {
      const said = `Верните её из копии: ./stena restore ${copy}. Если нужна новая, пустая стена: ./stena new-wall\n`;
      assert.ok(message.endsWith(said), message);
      return message.split('\n').length === 3;
    });
    assert.equal(await hasWall(storage), false);

    const make = () => runCommand('server/commands/new-wall/main.ts', storage, []);
    assert.match(outputOf(await make(), []), /^Новая, пустая стена готова/);
    await isLost(storage, elsewhere.dataDir);
    assert.match(errorOf(await make(), []), /^Здесь уже есть стена/);
  });
}

test('no empty wall begins beside the secret or the WAL of a database that is gone or empty', async (t) => {
  for (const remains of ['secret', 'stena.sqlite-wal']) {
    const storage = await placeFor(t, 'sqlite');
    const file = sqliteFile(storage.dataDir);
    await begin(storage);
    // A wall without a secret is not lost: its first start may have been killed before it made the secret.
    await isLost(storage);
    await storedSecret(storage.dataDir);
    await isLost(storage);
    for (const name of ['secret', 'stena.sqlite-wal', 'stena.sqlite-shm']) {
      if (name !== remains) await rm(join(storage.dataDir, name), { force: true });
    }
    await truncate(file, 0);
    const refusal = {
      name: 'StorageUnfit',
      message: new RegExp(`^Стена пропала: .*${join(storage.dataDir, remains)}`),
    };
    await assert.rejects(isLost(storage), refusal);
    if (remains === 'secret') {
      const empty = new DatabaseSync(file);
      empty.exec('pragma journal_mode = wal; vacuum');
      empty.close();
      await assert.rejects(isLost(storage), refusal);
    }
    await rm(file);
    await assert.rejects(isLost(storage), refusal);
  }
});
