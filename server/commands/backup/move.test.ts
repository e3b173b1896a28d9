import assert from 'node:assert/strict';
import { chownSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { runAdmin, runCommand } from '../../../test/kit/command-process.ts';
import {
  whyNotCopy,
  mustSucceed,
  freshStorageToCopy,
  postgresToCopy,
  program,
  mustFail,
} from '../../../test/kit/backup-process.ts';
import { type Engine, freshStorage, type StorageSettings } from '../../../test/kit/engines.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { addInvites, newInviteCode } from '../../features/moderation/invites.ts';
import { likePost } from '../../features/posts/likes.ts';
import { changeState } from '../../features/posts/post-states.ts';
import { createPost, createReply, lockPost } from '../../features/posts/post-writes.ts';
import { makeSecrets } from '../../secrets.ts';
import { issueToken } from '../../features/sessions/session-rules.ts';
import { openSession } from '../../features/sessions/session-store.ts';
import { recount } from '../verify-data/recount.ts';
import { unprivilegedUser } from '../../../test/kit/postgres-binaries.ts';
import { PostgresCluster } from '../../../test/kit/postgres-cluster.ts';
import { type Certificate, makeCertificate } from '../../../test/kit/proxy.ts';
import { connectionOf } from './postgres-tools.ts';

const now = Math.floor(Date.now() / 1_000);
const SECRET = 'one secret for all the processes of a test';

async function fresh(t: TestContext, engine: Engine): Promise<StorageSettings> {
  const { storage, remove } = await freshStorage(engine);
  t.after(remove);
  return storage;
}

/** Fills a wall with rows of every kind; resolves to the id of a session of the first user. */
async function fill(storage: StorageSettings): Promise<number> {
  const db = await openDatabase(storage, assert.fail);
  const person = (username: string) =>
    db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now }));
  const [anna, boris] = [await person('anna_'), await person('boris')];
  const text = 'Тихо: \\"кавычки\\", \t знак 🦔 и\nстрока; \u2028 e\u0301';
  const first = await db.tx((tx) => createPost(tx, { userId: anna, text, now }));
  // These posts are more than one batch of the restore.
  await db.tx(async (tx) => {
    for (let i = 0; i < 5_100; i += 1) await createPost(tx, { userId: boris, text: `запись ${i}`, now });
  });
  await db.tx((tx) => createReply(tx, first, { userId: boris, text: 'ответ', now }));
  await db.tx((tx) => likePost(tx, { postId: first, userId: boris, now }));
  const last = await db.tx((tx) => createPost(tx, { userId: boris, text: 'последняя', now }));
  await db.tx(async (tx) => changeState(tx, (await lockPost(tx, last))!, { to: 'gone' }, now));
  const removal = { to: 'removed' as const, reason: 'не по правилам', withBlock: false };
  await db.tx(async (tx) => changeState(tx, (await lockPost(tx, 2))!, removal, now));
  const session = { userId: anna, cookieHash: 'of anna', clientToken: 'a', device: '{"os":"Linux"}', now };
  const sessionId = await db.tx((tx) => openSession(tx, session));
  await db.tx((tx) => addInvites(tx, [newInviteCode()], 'соседям', now, { seats: 1, made_by: null }));
  await db.close();
  await admin(storage, 'appoint', 'boris', '--reason', 'соседям');
  return sessionId;
}

async function admin(storage: StorageSettings, ...args: string[]): Promise<void> {
  const { code, errors } = await runAdmin(storage, ...args);
  assert.equal(code, 0, errors);
}

async function rowsOf({ read }: Database, table: string): Promise<string[]> {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(read);
  return rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted();
}

test('moves a wall from SQLite to PostgreSQL with all rows, ids and sessions', async (t) => {
  const old = await fresh(t, 'sqlite');
  const target = await fresh(t, 'postgres');
  const sessionId = await fill(old);
  const file = join(old.dataDir, 'wall.backup');
  await mustSucceed(old, 'backup', file);
  assert.match(await mustSucceed(target, 'restore', file), /^Стена восстановлена из [^\n]+\n$/);
  assert.match(await mustFail(target, ['restore', file]), /^Здесь уже есть стена: .*--replace$/m);

  const [before, after] = [await openDatabase(old, assert.fail), await openDatabase(target, assert.fail)];
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not glob 'post_words*'
    and name not in ('migrations', 'changes', 'sqlite_sequence', 'search_index')
  `.execute(before.read);
  assert.ok(tables.length >= 17);
  // This setting was stored after the copy was made, so the moved wall does not have it.
  await before.tx(({ db }) => db.deleteFrom('wall_settings').where('key', '=', 'last_backup').execute());
  let filledTables = 0;
  for (const { name } of tables) {
    const rows = await rowsOf(after, name);
    assert.deepEqual(rows, await rowsOf(before, name), name);
    if (rows.length > 0) filledTables += 1;
  }
  assert.ok(filledTables >= 9, `${filledTables} tables with rows`);
  assert.deepEqual(await Array.fromAsync(recount(after.read)), []);
  const next = (db: Database) => db.tx((tx) => createPost(tx, { userId: 1, text: 'следующая', now }));
  assert.equal(await next(after), await next(before), 'ids of deleted rows are not reused');
  await Promise.all([before.close(), after.close()]);

  const server = await startServer(target, { SECRET, LOG_LEVEL: 'error' });
  t.after(() => server.stop());
  const { token } = issueToken(makeSecrets(SECRET), sessionId, now + 600);
  const headers = { authorization: `Bearer ${token}` };
  const self = (await (await fetch(`${server.address}/api/v1/users/current`, { headers })).json()) as object;
  assert.deepEqual(self, {
    id: '1',
    username: 'anna_',
    display_name: null,
    face: null,
    about: null,
    email: 'anna_@example.org',
  });
});

test('leaves the database unchanged when the move fails', async (t) => {
  const old = await fresh(t, 'sqlite');
  const target = await fresh(t, 'postgres');
  await (await openDatabase(old, assert.fail)).close();
  const file = join(old.dataDir, 'wall.backup');
  await mustSucceed(old, 'backup', file);
  await rm(`${file}.sha256`);
  const copy = new DatabaseSync(file);
  copy.exec("insert into operator_log (at, operator, action, reason) values (1, 'a', 'b', 'c' || char(0))");
  copy.close();
  assert.match(await mustFail(target, ['restore', file]), /./);

  const older = new DatabaseSync(file);
  older.exec('delete from operator_log; delete from migrations where version = (select max(version) from migrations)');
  older.close();
  assert.match(await mustFail(target, ['restore', file]), /^Копия сделана более старой программой/);

  const db = await openDatabase(target, assert.fail);
  assert.equal((await db.read.selectFrom('users').select('id').execute()).length, 0);
  await db.close();
});

const skip = (await whyNotCopy('postgres')) ?? false;

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

test('copies a database whose address has settings with spaces', { skip }, async (t) => {
  const { storage, remove } = await freshStorageToCopy('postgres');
  t.after(remove);
  const url = new URL(storage.databaseUrl!);
  url.search = 'options=-c%20lock_timeout%3D9000';
  const spaced = { ...storage, databaseUrl: url.href };
  await (await openDatabase(spaced, assert.fail)).close();
  const file = join(storage.dataDir, 'wall.backup');
  assert.match(await mustSucceed(spaced, 'backup', file), /^Копия сделана/);
});

/** A certificate that the user of a test's PostgreSQL can read. */
async function certificateFor(t: TestContext): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-certificate-'));
  t.after(() => rm(folder, { recursive: true }));
  const made = makeCertificate(folder);
  const user = unprivilegedUser();
  if (user) for (const path of [folder, made.certificate, made.key]) chownSync(path, user.uid, user.gid);
  return made;
}

test('the programs trust the authorities that Node.js trusts', { skip }, async (t) => {
  const { certificate, key } = await certificateFor(t);
  const tls = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
  await using cluster = await PostgresCluster.make(tls, await postgresToCopy());
  await cluster.start();
  const { dataDir } = cluster.storage();
  const temporary = await mkdtemp(join(tmpdir(), 'stena-temporary-'));
  t.after(() => rm(temporary, { recursive: true }));
  const storage = { databaseUrl: `${cluster.url()}?sslmode=verify-full`, dataDir };
  await (await openDatabase(storage, assert.fail)).close();
  const copy = join(temporary, 'wall.backup');
  for (const args of [
    ['backup', copy],
    ['restore', copy, '--replace'],
  ]) {
    const settings = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate, TMPDIR: temporary };
    const { code, errors } = await runCommand(program, storage, args, settings);
    assert.equal(code, 0, errors);
  }
  assert.deepEqual((await readdir(temporary)).toSorted(), ['wall.backup', 'wall.backup.sha256']);
});
