import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { withClient } from '../../server/commands/backup/postgres-tools.ts';
import { sqliteFile } from '../../server/db/open-database.ts';
import { whyNotCopy, mustSucceed, freshStorageToCopy } from '../kit/backup-process.ts';
import { type Engine, engines, freshStorage, type StorageSettings } from '../kit/engines.ts';
import { root, spawnNode } from '../kit/node-process.ts';
import { settingsOf } from '../kit/server-process.ts';
import { assertAllThere, contentOf, lay, releases, rememberedOf, startWall } from './lived-wall.ts';

async function storageFor(t: TestContext, making: ReturnType<typeof freshStorage>): Promise<StorageSettings> {
  const { storage, remove } = await making;
  t.after(remove);
  return storage;
}

/** Everything is there, all counts are right, and people go on writing. */
async function assertUpgraded(storage: StorageSettings, release: string, engine: Engine): Promise<void> {
  await using wall = await startWall(storage, root);
  await assertAllThere(wall, rememberedOf(release, engine));
  assert.match(await wall.command('verify-data/main.ts'), /^(Файл|Индексы) [^\n]+\nВсе счётчики верны\.\n$/);
}

/** Makes the data newer than the program. */
async function renew({ databaseUrl, dataDir }: StorageSettings): Promise<void> {
  const statement = "insert into migrations values (9000, 'from the future', 1)";
  if (databaseUrl) return void (await withClient(databaseUrl, (client) => client.query(statement)));
  const database = new DatabaseSync(sqliteFile(dataDir));
  database.exec(statement);
  database.close();
}

test('there is a fixture of a release', () => assert.ok(releases.length > 0));

for (const release of releases) {
  for (const engine of engines) {
    test(`opens a killed wall of an earlier release with everything in it, ${release} on ${engine}`, async (t) => {
      const storage = await storageFor(t, freshStorage(engine));
      await lay(release, engine, storage);
      await assertUpgraded(storage, release, engine);
    });

    test(`refuses newer data with one line, ${release} on ${engine}`, async (t) => {
      const storage = await storageFor(t, freshStorage(engine));
      await lay(release, engine, storage);
      await renew(storage);
      const server = spawnNode(['server/main.ts'], { env: { PORT: '0', ...settingsOf(storage) }, errors: 'pipe' });
      const [errors, [code]] = await Promise.all([text(server.stderr!), once(server, 'exit')]);
      assert.equal(code, 1);
      assert.match(errors, /^База версии 9000, [^\n]+ более новая программа\.\n$/);
    });

    const lack = await whyNotCopy(engine);
    if (lack) {
      process.stderr.write(`Skipping the backup of ${release} on ${engine}: ${lack}\n`);
      continue;
    }
    test(`restores the backup of an earlier release with everything in it, ${release} on ${engine}`, async (t) => {
      const storage = await storageFor(t, freshStorageToCopy(engine));
      const file = join(storage.dataDir, 'wall.backup');
      await writeFile(file, contentOf(release, engine, 'backup'));
      assert.match(await mustSucceed(storage, 'restore', file), /^Стена восстановлена/);
      await assertUpgraded(storage, release, engine);
    });
  }
}
