import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { engines } from '../../test/kit/engines.ts';
import { freePort } from '../../test/kit/free-port.ts';
import { freshDatabase } from '../../test/kit/postgres.ts';
import { parseMetrics } from '../../test/kit/prometheus.ts';
import { device } from '../../test/kit/sign-in.ts';
import { openWall, type Wall, wallOver } from '../../test/kit/wall.ts';
import { type Database, StorageUnavailable } from './database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { asStorageError } from './postgres/postgres-errors.ts';

interface Line {
  level: number;
  msg: string;
  reason?: string;
  failures?: number;
  seconds?: number;
}

/** Makes every write fail as a full disk does on PostgreSQL and a disk mounted for reading on SQLite. */
async function breakWrites({ engine, read }: Database): Promise<void> {
  if (engine === 'sqlite') return void (await sql`pragma query_only = on`.execute(read));
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(read);
  for (const table of ['outbox', 'jobs']) await refuseWrites(read, table);
}

const refuseWrites = (read: Database['read'], table: string) =>
  sql`create trigger refuse before insert or update on ${sql.table(table)} for each statement execute function refuse()`.execute(
    read,
  );

async function mendWrites({ engine, read }: Database): Promise<void> {
  if (engine === 'sqlite') await sql`pragma query_only = off`.execute(read);
  else await sql`drop function refuse cascade`.execute(read);
}

function collected() {
  const lines: Line[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  return { lines, log, loud: () => lines.filter(({ level }) => level >= 50) };
}

async function register(wall: Wall, name: string): Promise<number> {
  const payload = { email: `${name}@example.org`, clientToken: name, device };
  return (await wall.app.inject({ method: 'POST', url: '/api/v1/registrations', payload })).statusCode;
}

for (const engine of engines) {
  describe(`while ${engine} refuses writes`, () => {
    test('one line begins the outage, one ends it, and the metrics show it', async (t) => {
      const { lines, log, loud } = collected();
      const METRICS = `127.0.0.1:${await freePort()}`;
      await using wall = await openWall(engine, { METRICS }, log);
      const metrics = async () => parseMetrics(await (await fetch(`http://${METRICS}/metrics`)).text());
      const now = performance.now.bind(performance);
      let ahead = 0;
      t.mock.method(performance, 'now', () => now() + ahead);

      assert.equal(await register(wall, 'before'), 201);
      const before = await metrics();
      assert.equal(before['stena_writes_failing'], 0);
      assert.equal(before['stena_failed_writes_total'], 0);
      assert.equal(before['stena_jobs_failing{job="remove-expired"}'], 0);

      await breakWrites(wall.db);
      for (let i = 0; i < 20; i += 1) assert.equal(await register(wall, `during${i}`), 503);
      assert.equal((await wall.get('/readyz')).status, 200);
      const during = await metrics();
      assert.equal(during['stena_writes_failing'], 1);
      assert.ok(during['stena_failed_writes_total']! >= 20);
      assert.equal(during['stena_jobs_failing{job="remove-expired"}'], 1);
      assert.deepEqual(
        loud().map(({ msg }) => msg),
        ['writes are failing'],
      );
      assert.match(loud()[0]!.reason!, engine === 'sqlite' ? /readonly database/ : /No space left on device/);
      assert.equal(lines.length, 1, 'no line for each refused write');

      await mendWrites(wall.db);
      assert.equal(await register(wall, 'soon'), 201);
      assert.equal((await metrics())['stena_writes_failing'], 1, 'another write may fail yet');
      ahead = 31_000;
      assert.equal(await register(wall, 'later'), 201);
      const after = await metrics();
      assert.equal(after['stena_writes_failing'], 0);
      assert.equal(after['stena_jobs_failing{job="remove-expired"}'], 0);
      assert.deepEqual(
        loud().map(({ msg, failures }) => [msg, failures]),
        [
          ['writes are failing', undefined],
          ['writes succeed again', after['stena_failed_writes_total']],
        ],
      );
    });
  });
}

test('the loss of the database begins an outage although nobody writes', async () => {
  const { url, drop } = await freshDatabase();
  const db = await openPostgres(url, () => {});
  const { lines, log, loud } = collected();
  await using wall = await wallOver(db, {}, log);
  await drop();
  // The queue of jobs is read twice a second, so the outage is soon logged.
  while (loud().length === 0) await pause(50);
  assert.equal((await wall.get('/readyz')).status, 503);
  const cookie = `session=${randomBytes(32).toString('base64url')}`;
  const { status, text } = await wall.get('/keep', { accept: 'text/html,*/*;q=0.8', cookie });
  assert.equal(status, 503);
  assert.match(text, /<h1>.*<\/h1>\s*<p>.*Попробуйте через минуту/);
  assert.match(loud()[0]!.reason!, /does not exist|terminating connection|Connection terminated|not queryable/);
  const known = lines.length;
  const refused = await Promise.all(Array.from({ length: 20 }, (_, i) => register(wall, `lost${i}`)));
  assert.deepEqual(new Set(refused), new Set([503]));
  // On a busy machine an answer may take a second, which has a line of its own.
  const said = lines.slice(known).map(({ msg }) => msg);
  assert.deepEqual(
    said.filter((msg) => msg !== 'slow answer'),
    [],
    'no line for each failure',
  );
  await wall.close();
  await db.close();
});

test('a lost database closes while new connections to it are tried', async () => {
  const { url, drop } = await freshDatabase();
  const db = await openPostgres(url, () => {});
  await drop();
  const closed = new AbortController();
  const closing = db.close().then(() => closed.abort());
  while (!closed.signal.aborted) {
    await Promise.allSettled(Array.from({ length: 10 }, () => db.check()));
    await pause(1);
  }
  await closing;
});

test('a network that is down or without a route to PostgreSQL makes the storage unavailable', () => {
  for (const code of ['ENETUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EADDRNOTAVAIL', 'EHOSTUNREACH']) {
    assert.ok(asStorageError(Object.assign(new Error(code), { code })) instanceof StorageUnavailable, code);
  }
});

test('an error in the program is passed on', () => {
  const error = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  assert.equal(asStorageError(error), error);
});
