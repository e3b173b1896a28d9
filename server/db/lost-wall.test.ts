import assert from 'node:assert/strict';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { errorOf, outputOf, runCommand } from '../../test/kit/command-process.ts';
import { type Engine, engines, freshPlace, type Place } from '../../test/kit/engines.ts';
import { startServer } from '../../test/kit/server-process.ts';
import { storedSecret } from '../secrets.ts';
import { refuseLostWall } from './lost-wall.ts';
import { hasWall, openDatabase, sqliteFile } from './open-database.ts';
import { connect } from './postgres/connect.ts';

async function placeFor(t: TestContext, engine: Engine): Promise<Place> {
  const { place, remove } = await freshPlace(engine);
  t.after(remove);
  return place;
}

const begin = async (place: Place) => (await openDatabase(place, assert.fail)).close();
const isLost = (place: Place, copyTo?: string) => refuseLostWall({ ...place, copyTo });

async function lose({ databaseUrl, dataDir }: Place): Promise<void> {
  if (!databaseUrl) return rm(sqliteFile(dataDir));
  const client = await connect(databaseUrl);
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}

for (const engine of engines) {
  test(`no empty wall begins on ${engine} beside a copy of a lost one, except with new-wall`, async (t) => {
    const [place, elsewhere] = [await placeFor(t, engine), await placeFor(t, 'sqlite')];
    await isLost(place);
    await begin(place);
    const copy = join(elsewhere.dataDir, 'night.backup');
    await writeFile(copy, '');
    await isLost(place, elsewhere.dataDir);
    await lose(place);
    await assert.rejects(startServer(place, { COPY_TO: elsewhere.dataDir }), ({ message }: Error) => {
      const said = `Верните её из копии: ./stena restore ${copy}. Если нужна новая, пустая стена: ./stena new-wall\n`;
      assert.ok(message.endsWith(said), message);
      return message.split('\n').length === 3;
    });
    assert.equal(await hasWall(place), false);

    const make = () => runCommand('server/commands/new-wall/main.ts', place, []);
    assert.match(outputOf(await make(), []), /^Новая, пустая стена готова/);
    await isLost(place, elsewhere.dataDir);
    assert.match(errorOf(await make(), []), /^Здесь уже есть стена/);
  });
}

test('no empty wall begins beside the secret or the WAL of a database that is gone or empty', async (t) => {
  for (const remains of ['secret', 'stena.sqlite-wal']) {
    const place = await placeFor(t, 'sqlite');
    const file = sqliteFile(place.dataDir);
    await begin(place);
    // A start that was killed before it made the secret.
    await isLost(place);
    await storedSecret(place.dataDir);
    await isLost(place);
    for (const name of ['secret', 'stena.sqlite-wal', 'stena.sqlite-shm']) {
      if (name !== remains) await rm(join(place.dataDir, name), { force: true });
    }
    await truncate(file, 0);
    const refusal = { name: 'StorageUnfit', message: new RegExp(`^Стена пропала: .*${join(place.dataDir, remains)}`) };
    await assert.rejects(isLost(place), refusal);
    if (remains === 'secret') {
      const empty = new DatabaseSync(file);
      empty.exec('pragma journal_mode = wal; vacuum');
      empty.close();
      await assert.rejects(isLost(place), refusal);
    }
    await rm(file);
    await assert.rejects(isLost(place), refusal);
  }
});
