import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import {
  mustSucceed,
  mustSucceedWith,
  enginesToCopy,
  freshStorageToCopy,
  mustBeKilled,
  mustFail,
} from '../../../test/kit/backup-process.ts';
import type { Engine, StorageSettings } from '../../../test/kit/engines.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { parseMetrics } from '../../../test/kit/prometheus.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { likePost } from '../../features/posts/likes.ts';
import { createPost, createReply, lockPost } from '../../features/posts/post-writes.ts';
import { makeSecrets, storedSecret } from '../../secrets.ts';
import { issueToken } from '../../features/sessions/session-rules.ts';
import { openSession } from '../../features/sessions/session-store.ts';
import { recount } from '../verify-data/recount.ts';
import { lastCopyCheck } from '../../ops/backups.ts';
import { runJobs } from '../../../test/kit/run-jobs.ts';
import { deleteOwnPost } from '../../features/posts/own-deletion.ts';
import { runTool, withClient } from './postgres-tools.ts';

const now = Math.floor(Date.now() / 1_000);

/**
 * Writes posts, replies and likes until the returned function is called. That function resolves to their number and the time of the
 * slowest write.
 */
function writeContinuously(db: Database, userId: number) {
  const stopping = new AbortController();
  let written = 0;
  let slowestMs = 0;
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work;
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    written += 1;
    return result;
  };
  const writing = (async () => {
    while (!stopping.signal.aborted) {
      const id = await timed(db.tx((tx) => createPost(tx, { userId, text: `запись ${written}`, now })));
      await timed(db.tx((tx) => createReply(tx, id, { userId, text: 'ответ', now })));
      await timed(db.tx((tx) => likePost(tx, { postId: id, userId, now })));
    }
  })();
  return async () => {
    stopping.abort();
    await writing;
    return { written, slowestMs };
  };
}

const addPerson = (db: Database): Promise<number> =>
  db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now }));

const newestPost = async ({ read }: Database): Promise<number> =>
  (
    await read
      .selectFrom('posts')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
  ).id;

async function secretOf({ databaseUrl, dataDir }: StorageSettings): Promise<string> {
  return databaseUrl ? 'one secret for all the processes of a test' : storedSecret(dataDir);
}

/** Responses of a server on the restored wall to a session opened before the backup. */
async function responsesOf(storage: StorageSettings, headers: Record<string, string>): Promise<unknown[]> {
  const server = await startServer(storage, { LOG_LEVEL: 'error' });
  try {
    const paths = ['/api/v1/posts/1', '/api/v1/posts/600', '/api/v1/users/anna_', '/api/v1/users/current'];
    const responses = paths.map(async (path) => (await fetch(server.address + path, { headers })).json());
    return await Promise.all(responses);
  } finally {
    await server.stop();
  }
}

async function freshFor(t: TestContext, engine: Engine): Promise<StorageSettings> {
  const fresh = await freshStorageToCopy(engine);
  t.after(fresh.remove);
  return fresh.storage;
}

for (const engine of await enginesToCopy()) {
  test(`restores a backup made during writes, complete and consistent, on ${engine}`, async (t) => {
    const [old, target] = [await freshFor(t, engine), await freshFor(t, engine)];
    const db = await openDatabase(old, assert.fail);
    const userId = await addPerson(db);
    await db.tx(async (tx) => {
      for (let i = 0; i < 600; i += 1) await createPost(tx, { userId, text: 'я'.repeat(500), now });
    });
    const session = { userId, cookieHash: 'of anna', clientToken: 'a', device: '{}', now };
    const sessionId = await db.tx((tx) => openSession(tx, session));
    const { token } = issueToken(makeSecrets(await secretOf(old)), sessionId, now + 600);
    const before = await newestPost(db);
    const stop = writeContinuously(db, userId);
    const file = join(old.dataDir, 'wall.backup');
    await mustSucceed(old, 'backup', file);
    const { written, slowestMs } = await stop();
    t.diagnostic(`${written} writes during the backup, the slowest ${slowestMs.toFixed(0)} ms`);
    assert.ok(written > 10);
    const after = await newestPost(db);
    await db.close();
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    assert.match(await mustSucceed(target, 'restore', file), /^Стена восстановлена из [^\n]+\n$/);
    const restored = await openDatabase(target, assert.fail);
    const newest = await newestPost(restored);
    assert.ok(before <= newest && newest <= after);
    assert.deepEqual(await Array.fromAsync(recount(restored.read)), []);
    const posts = sql`select id, text, user_id, replied_post_id from posts where id <= 600 order by id`;
    const reopened = await openDatabase(old, assert.fail);
    assert.deepEqual((await posts.execute(restored.read)).rows, (await posts.execute(reopened.read)).rows);
    await Promise.all([restored.close(), reopened.close()]);
    const [first, last, author, self] = await responsesOf(target, { authorization: `Bearer ${token}` });
    assert.equal((first as { text: string }).text, 'я'.repeat(500));
    assert.equal((last as { id: string }).id, '600');
    assert.equal((author as { username: string }).username, 'anna_');
    assert.equal((self as { email: string }).email, 'anna@example.org');
  });

  test(`the metrics show when the last backup was begun, on ${engine}`, async (t) => {
    const storage = await freshFor(t, engine);
    const METRICS = `127.0.0.1:${await freePort()}`;
    const scraped = async () => {
      const metrics = parseMetrics(await (await fetch(`http://${METRICS}/metrics`)).text());
      return metrics['stena_last_backup_timestamp_seconds']!;
    };
    const server = await startServer(storage, { LOG_LEVEL: 'error', METRICS });
    t.after(() => server.stop());
    assert.equal(await scraped(), 0);
    const from = Math.floor(Date.now() / 1_000);
    await mustSucceed(storage, 'backup', join(storage.dataDir, 'first'));
    const made = await scraped();
    assert.ok(from <= made && made <= Date.now() / 1_000, `${from} ${made}`);
    await mustFail(storage, ['backup', join(storage.dataDir, 'first')]);
    assert.equal(await scraped(), made);
  });

  test(`sets the replaced data aside instead of deleting them, on ${engine}`, async (t) => {
    const here = await freshFor(t, engine);
    const open = () => openDatabase(here, assert.fail);
    const db = await open();
    const userId = await addPerson(db);
    const secret = await secretOf(here);
    const file = join(here.dataDir, 'wall.backup');
    await mustSucceed(here, 'backup', file);
    await db.tx((tx) => createPost(tx, { userId, text: 'после копии', now }));
    await db.close();

    const [, aside] = /^Прежние данные отложены: (?:схема )?(\S+)$/m.exec(
      await mustSucceed(here, 'restore', file, '--replace'),
    )!;
    const restored = await open();
    assert.deepEqual(await restored.read.selectFrom('posts').selectAll().execute(), []);
    if (engine === 'postgres') {
      const { rows } = await sql`select text from ${sql.table(`${aside}.posts`)}`.execute(restored.read);
      assert.deepEqual(rows, [{ text: 'после копии' }]);
    } else {
      assert.equal(await storedSecret(here.dataDir), secret);
      assert.deepEqual((await readdir(aside!)).toSorted(), ['secret', 'stena.sqlite']);
      assert.equal((await readFile(join(here.dataDir, 'stena.sqlite'))).includes(secret), false);
      const before = await openDatabase({ databaseUrl: undefined, dataDir: aside! }, assert.fail);
      assert.equal((await before.read.selectFrom('posts').selectAll().execute()).length, 1);
      await before.close();
      await rm(aside!, { recursive: true });
    }
    await restored.close();
  });

  test(`a copy of a wall on ${engine} is proven by restoring it, and a lack is reported`, async (t) => {
    const storage = await freshFor(t, engine);
    const [folder, second] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'stena-copies-'))));
    t.after(() => Promise.all([folder!, second!].map((path) => rm(path, { recursive: true }))));
    const db = await openDatabase(storage, () => {});
    t.after(() => db.close());
    const userId = await addPerson(db);
    // The posts are dated an hour back, so every later copy must have them.
    const write = () => db.tx((tx) => createPost(tx, { userId, text: 'привет', now: now - 3_600 }));
    for (let i = 0; i < 3; i += 1) await write();

    const file = join(folder!, 'night.backup');
    assert.equal(await lastCopyCheck(db.read), null);
    await db.tx((tx) => createPost(tx, { userId, text: 'сейчас', now: Math.floor(Date.now() / 1_000) }));
    await mustSucceedWith({ COPY_TO: second! }, storage, 'backup', file);
    assert.deepEqual((await readdir(second!)).toSorted(), ['night.backup', 'night.backup.sha256']);
    assert.match(
      await mustSucceed(storage, 'check-copy', join(second!, 'night.backup')),
      /записей и ответов 4, расхождений 0/,
    );
    const { at, ...good } = (await lastCopyCheck(db.read))!;
    assert.ok(at >= now);
    assert.deepEqual(good, { posts: 4, differences: 0, failure: null, shrunk: null });

    // By their time, these posts should be in the copy.
    await write();
    await write();
    assert.match(await mustFail(storage, ['check-copy', file]), /расхождений: 2/);
    assert.deepEqual([(await lastCopyCheck(db.read))!.posts, (await lastCopyCheck(db.read))!.differences], [4, 2]);

    await writeFile(file, 'x', { flag: 'a' });
    assert.match(await mustFail(storage, ['check-copy', file]), /сумма SHA-256 не сходится/);
    assert.match((await lastCopyCheck(db.read))!.failure!, /сумма SHA-256 не сходится/);
    assert.deepEqual((await readdir(folder!)).toSorted(), ['night.backup', 'night.backup.sha256'], 'nothing is left');
  });

  test(`what a killed check has left on ${engine} is removed by one that runs half a day later`, async (t) => {
    const storage = await freshFor(t, engine);
    const db = await openDatabase(storage, assert.fail);
    await addPerson(db);
    await db.close();
    const folder = await mkdtemp(join(tmpdir(), 'stena-copies-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'night.backup');
    await mustSucceed(storage, 'backup', file);

    const onServer = <Row extends object>(statement: string) =>
      withClient(storage.databaseUrl!, async (client) => (await client.query<Row>(statement)).rows);
    const left = async () => {
      if (engine === 'sqlite') return (await readdir(folder)).filter((name) => name.includes('check'));
      const named = "select datname from pg_database where datname like 'stena\\_check\\_%'";
      return (await onServer<{ datname: string }>(named)).map(({ datname }) => datname);
    };
    await mustBeKilled(storage, ['check-copy', file], engine === 'sqlite' ? 'rm .*\\.check-' : 'query drop database');
    const [one, ...others] = await left();
    assert.ok(one && others.length === 0, [one, ...others].join());
    const earlier = one.replace(/\d{10}/, (begunAt) => String(Number(begunAt) - 12 * 3_600 - 60));

    assert.match(await mustSucceed(storage, 'check-copy', file), /^Из копии восстановилась стена/);
    assert.deepEqual(await left(), [one], 'somebody may be at work in it');
    if (engine === 'sqlite') await rename(join(folder, one), join(folder, earlier));
    else await onServer(`alter database ${one} rename to ${earlier}`);
    const said = `Удалено то, что оставила прерванная проверка: ${earlier}\nИз копии восстановилась стена`;
    assert.ok((await mustSucceed(storage, 'check-copy', file)).startsWith(said));
    assert.deepEqual(await left(), []);
  });

  test(`a backup holds no text whose deletion can no longer be taken back, on ${engine}`, async (t) => {
    const storage = await freshFor(t, engine);
    const db = await openDatabase(storage, () => {});
    t.after(() => db.close());
    const userId = await addPerson(db);
    const texts = ['то, что передумали говорить', 'то, о чём ещё думают'];
    for (const [i, text] of texts.entries()) {
      const id = await db.tx((tx) => createPost(tx, { userId, text, now }));
      await db.tx(async (tx) => deleteOwnPost(tx, (await lockPost(tx, id))!, now + i * limits.undoDeletionSeconds));
    }
    await runJobs(db, now + limits.undoDeletionSeconds + 1);
    const file = join(storage.dataDir, 'after');
    await mustSucceed(storage, 'backup', file);
    const content = engine === 'postgres' ? await runTool('pg_restore', ['--file=-', file]) : await readFile(file);
    const isThere = texts.map((text) => content.includes(text));
    assert.deepEqual(isThere, [false, true], 'the second can still be taken back');
  });
}

test('a copy is made although there is no place for the second one', async (t) => {
  const storage = await freshFor(t, 'sqlite');
  await (await openDatabase(storage, assert.fail)).close();
  const second = join(storage.dataDir, 'second');
  const copyOf = (name: string) => mustFail(storage, ['backup', join(storage.dataDir, name)], { COPY_TO: second });
  assert.match(await copyOf('first.backup'), /^Копия сделана и проверена: .* \(COPY_TO\) нет: не записать: ENOENT/);
  assert.match(await mustSucceed(storage, 'check-copy', join(storage.dataDir, 'first.backup')), /расхождений 0/);
  assert.equal(existsSync(second), false);
  await mkdir(join(second, 'more.backup'), { recursive: true });
  assert.match(
    await copyOf('more.backup'),
    /^Копия сделана и проверена: .*more\.backup \(.*\)\. Второй копии в \S+ \(COPY_TO\) нет: Такой файл уже есть/,
  );
  assert.deepEqual(await readdir(second), ['more.backup']);
});
