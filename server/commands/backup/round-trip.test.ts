import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { cannotCopy, done, freshPlaceToCopy, refused } from '../../../test/kit/backup-process.ts';
import { type Engine, engines, type Place } from '../../../test/kit/engines.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { parseMetrics } from '../../../test/kit/prometheus.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { likePost } from '../../features/posts/likes.ts';
import { createPost, createReply } from '../../features/posts/writes.ts';
import { makeSecrets, storedSecret } from '../../secrets.ts';
import { issueToken } from '../../features/sessions/rules.ts';
import { openSession } from '../../features/sessions/store.ts';
import { recount } from '../verify-data/recount.ts';

const now = Math.floor(Date.now() / 1_000);

/**
 * Writes posts, replies and likes until the returned function is called, which resolves to their number and the slowest
 * time.
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

async function fill(db: Database): Promise<number> {
  const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now }));
  const text = 'я'.repeat(500);
  await db.tx(async (tx) => {
    for (let i = 0; i < 600; i += 1) await createPost(tx, { userId, text, now });
  });
  return userId;
}

const newestPost = async ({ read }: Database): Promise<number> =>
  (
    await read
      .selectFrom('posts')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
  ).id;

async function secretOf({ databaseUrl, dataDir }: Place): Promise<string> {
  return databaseUrl ? 'one secret for all the processes of a test' : storedSecret(dataDir);
}

/** Responses of a server on the restored wall to a session opened before the backup. */
async function responsesOf(place: Place, headers: Record<string, string>): Promise<unknown[]> {
  const server = await startServer(place, { LOG_LEVEL: 'error' });
  try {
    const paths = ['/api/v1/posts/1', '/api/v1/posts/600', '/api/v1/users/anna_', '/api/v1/users/current'];
    const responses = paths.map(async (path) => (await fetch(server.address + path, { headers })).json());
    return await Promise.all(responses);
  } finally {
    await server.stop();
  }
}

async function freshFor(t: TestContext, engine: Engine): Promise<Place> {
  const fresh = await freshPlaceToCopy(engine);
  t.after(fresh.remove);
  return fresh.place;
}

for (const engine of engines) {
  const skipReason = await cannotCopy(engine);
  if (skipReason) {
    process.stderr.write(`Skipping the backup tests on ${engine}: ${skipReason}\n`);
    continue;
  }

  test(`restores a backup made during writes, complete and consistent, on ${engine}`, async (t) => {
    const [old, target] = [await freshFor(t, engine), await freshFor(t, engine)];
    const db = await openDatabase(old, assert.fail);
    const userId = await fill(db);
    const session = { userId, cookieHash: 'of anna', clientToken: 'a', device: '{}', now };
    const sessionId = await db.tx((tx) => openSession(tx, session));
    const { token } = issueToken(makeSecrets(await secretOf(old)), sessionId, now + 600);
    const before = await newestPost(db);
    const stop = writeContinuously(db, userId);
    const file = join(old.dataDir, 'wall.backup');
    await done(old, 'backup', file);
    const { written, slowestMs } = await stop();
    t.diagnostic(`${written} writes during the backup, the slowest ${slowestMs.toFixed(0)} ms`);
    assert.ok(written > 10);
    const after = await newestPost(db);
    await db.close();
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    assert.match(await done(target, 'restore', file), /^Стена восстановлена из [^\n]+\n$/);
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
    const place = await freshFor(t, engine);
    const METRICS = `127.0.0.1:${await freePort()}`;
    const scraped = async () => {
      const metrics = parseMetrics(await (await fetch(`http://${METRICS}/metrics`)).text());
      return metrics['stena_last_backup_timestamp_seconds']!;
    };
    const server = await startServer(place, { LOG_LEVEL: 'error', METRICS });
    t.after(() => server.stop());
    assert.equal(await scraped(), 0);
    for (const name of ['first', 'second']) {
      const from = Math.floor(Date.now() / 1_000);
      await done(place, 'backup', join(place.dataDir, name));
      const made = await scraped();
      assert.ok(from <= made && made <= Date.now() / 1_000, `${from} ${made}`);
      await refused(place, ['backup', join(place.dataDir, name)]);
      assert.equal(await scraped(), made);
    }
  });

  test(`sets the replaced data aside instead of deleting them, on ${engine}`, async (t) => {
    const here = await freshFor(t, engine);
    const open = () => openDatabase(here, assert.fail);
    const db = await open();
    const userId = await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now }));
    const secret = await secretOf(here);
    const file = join(here.dataDir, 'wall.backup');
    await done(here, 'backup', file);
    await db.tx((tx) => createPost(tx, { userId, text: 'после копии', now }));
    await db.close();

    const [, aside] = /^Прежние данные отложены: (?:схема )?(\S+)$/m.exec(
      await done(here, 'restore', file, '--replace'),
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
}
