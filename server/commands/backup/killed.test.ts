import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  asideNote,
  mustSucceed,
  enginesToCopy,
  freshStorageToCopy,
  mustBeKilled,
  program,
  mustFail,
} from '../../../test/kit/backup-process.ts';
import { errorOf, runAdmin, startCommand } from '../../../test/kit/command-process.ts';
import { type Engine, type FreshStorage, freshStorage, type StorageSettings } from '../../../test/kit/engines.ts';
import { freePort } from '../../../test/kit/free-port.ts';
import { Relay } from '../../../test/kit/relay.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { openDatabase } from '../../db/open-database.ts';
import { storedSecret } from '../../secrets.ts';
import { withClient } from './postgres-tools.ts';

interface Killing {
  engine: Engine;
  copyOf: Engine;
  /** The process is killed before this step of the restore (`test/kit/killed-at.ts`). */
  before: string;
  leaves: 'the previous wall' | 'the copy' | 'neither';
}

const toSqlite = { engine: 'sqlite', copyOf: 'sqlite' } as const;
const toPostgres = { engine: 'postgres', copyOf: 'postgres' } as const;
const moving = { engine: 'postgres', copyOf: 'sqlite' } as const;
const killings: Killing[] = [
  { ...toSqlite, before: 'link .*secret$', leaves: 'the previous wall' },
  { ...toSqlite, before: 'rm .*stena\\.sqlite ', leaves: 'the previous wall' },
  { ...toSqlite, before: 'rename .*secret$', leaves: 'neither' },
  { ...toSqlite, before: 'rename .*stena\\.sqlite$', leaves: 'neither' },
  { ...toSqlite, before: 'rm .*stena\\.sqlite\\.', leaves: 'the copy' },
  { ...toPostgres, before: 'query begin; alter schema', leaves: 'the previous wall' },
  { ...toPostgres, before: 'spawn pg_restore .*--single-transaction', leaves: 'neither' },
  { ...toPostgres, before: 'query analyze', leaves: 'the copy' },
  { ...moving, before: 'query create table if not exists migrations', leaves: 'neither' },
  { ...moving, before: 'query insert into "users"', leaves: 'neither' },
  { ...moving, before: 'query commit', leaves: 'neither' },
];

/** A wall of one person; on SQLite with a secret of its own. */
async function wall(engine: Engine, username: string): Promise<FreshStorage> {
  const fresh = await freshStorageToCopy(engine);
  const { storage } = fresh;
  const db = await openDatabase(storage, assert.fail);
  await db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: 1 }));
  await db.close();
  if (engine === 'sqlite') await storedSecret(storage.dataDir);
  return fresh;
}

/** The people of a wall and its secret. */
async function contentOf(storage: StorageSettings) {
  const db = await openDatabase(storage, assert.fail);
  const users = await db.read.selectFrom('users').select('username').execute();
  await db.close();
  return {
    users: users.map(({ username }) => username),
    secret: storage.databaseUrl ?? (await storedSecret(storage.dataDir)),
  };
}

interface Copied extends FreshStorage {
  file: string;
  content: Awaited<ReturnType<typeof contentOf>>;
}

const copied = new Map<Engine, Promise<Copied>>();

/** A backup of another wall, made once for all restores. */
function copyOf(engine: Engine): Promise<Copied> {
  const made = copied.get(engine) ?? backUp(engine);
  copied.set(engine, made);
  return made;
}

async function backUp(engine: Engine): Promise<Copied> {
  const other = await wall(engine, 'boris');
  const file = join(other.storage.dataDir, 'wall.backup');
  await mustSucceed(other.storage, 'backup', file);
  return { ...other, file, content: await contentOf(other.storage) };
}

/** Runs the command at the end of a refusal, as an operator would. */
async function bringBack({ databaseUrl }: StorageSettings, refusal: string): Promise<void> {
  const [, command] = /верните прежнюю: (.+)$/m.exec(refusal)!;
  if (!databaseUrl) execFileSync('sh', ['-c', command!]);
  const statements = [...command!.matchAll(/ -c '([^']+)'/g)].map(([, statement]) => statement!);
  if (databaseUrl) await withClient(databaseUrl, (client) => client.query(statements.join(';')));
}

const copies = await enginesToCopy();

describe('a killed restore', { concurrency: 2 }, () => {
  after(() => Promise.all([...copied.values()].map(async (made) => (await made).remove())));

  for (const { engine, copyOf: from, before, leaves } of killings.filter((one) => copies.includes(one.copyOf))) {
    test(`a restore on ${engine} that is killed before “${before}” leaves ${leaves}`, async () => {
      await using fresh = await wall(engine, 'anna_');
      const { storage } = fresh;
      const { file: copy, content } = await copyOf(from);
      const walls = {
        'the previous wall': await contentOf(storage),
        'the copy': { ...content, ...(engine === 'postgres' && { secret: storage.databaseUrl }) },
      };
      await mustBeKilled(storage, ['restore', copy, '--replace'], before);
      if (leaves !== 'neither') return assert.deepEqual(await contentOf(storage), walls[leaves]);

      const refusal =
        /^Восстановление не закончено: стены нет, прежняя лежит в .*replaced_.* \.\/stena restore ФАЙЛ или .*\n$/;
      const lastLine = ({ message }: Error) => message.replace(/^(.*\n)*(?=.+\n$)/, '');
      await assert.rejects(startServer(storage), (error: Error) => refusal.test(lastLine(error)));
      assert.match(await mustFail(storage, ['backup', `${copy} 2`]), refusal);
      const line = errorOf(await runAdmin(storage, 'stats'), ['stats']);
      assert.match(line, refusal);
      await bringBack(storage, line);
      assert.deepEqual(await contentOf(storage), walls['the previous wall']);

      await mustBeKilled(storage, ['restore', copy, '--replace'], before);
      assert.match(await mustSucceed(storage, 'restore', copy), /^Стена восстановлена/);
      assert.deepEqual(await contentOf(storage), walls['the copy']);
    });
  }
});

/** A wall of one person on PostgreSQL, and a pg_restore that runs until the test makes it fail. */
async function loadingWall(t: TestContext) {
  const { storage, remove } = await freshStorage('postgres');
  t.after(remove);
  const db = await openDatabase(storage, assert.fail);
  await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 }));
  await db.close();
  const [copy, tools] = [join(storage.dataDir, 'wall.backup'), join(storage.dataDir, 'tools')];
  const [loading, failing] = [join(storage.dataDir, 'loading'), join(storage.dataDir, 'failing')];
  await writeFile(copy, 'PGDMP');
  await mkdir(tools);
  const tool = join(tools, 'pg_restore');
  const load = `touch ${loading}; until [ -e ${failing} ]; do sleep 0.05; done; echo "pg_restore: error: no" >&2; exit 1`;
  await writeFile(tool, `#!/bin/sh\ncase "$*" in *--single*) ${load} ;; esac; echo "pg 99.1"; printf "1\\t"\n`);
  await chmod(tool, 0o755);

  /** Starts a restore; resolves when it loads. */
  const restore = async (databaseUrl = storage.databaseUrl) => {
    await rm(loading, { force: true });
    const settings = { PATH: `${tools}:${process.env['PATH']}` };
    const { child, ended } = startCommand(
      program,
      { ...storage, databaseUrl },
      ['restore', copy, '--replace', '--without-check'],
      settings,
    );
    while (child.exitCode === null && !(await stat(loading).catch(() => undefined))) await sleep(10);
    return { child, ended };
  };
  const people = async () => {
    const opened = await openDatabase(storage, assert.fail);
    const rows = await opened.read.selectFrom('users').select('username').execute();
    await opened.close();
    return rows;
  };
  return { url: storage.databaseUrl!, restore, fail: () => writeFile(failing, ''), people };
}

test('an interrupted restore on PostgreSQL brings the previous data back', async (t) => {
  const { restore, people } = await loadingWall(t);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const { child, ended } = await restore();
    child.kill(signal);
    const { code, output, errors } = await ended;
    assert.deepEqual([code, output], [1, '']);
    assert.equal(errors.replace(asideNote, ''), `Восстановление прервано (${signal}): данные такие же, как до него.\n`);
    assert.deepEqual(await people(), [{ username: 'anna_' }], signal);
  }
});

test('a killed restore on PostgreSQL has said where the previous data are', async (t) => {
  const { url, restore, fail, people } = await loadingWall(t);
  const { child, ended } = await restore();
  child.kill('SIGKILL');
  const [, aside] = asideNote.exec((await ended).errors)!;
  await fail();
  // The statements of docs/guide/backup.md.
  await withClient(url, (client) => client.query(`drop schema public; alter schema ${aside} rename to public`));
  assert.deepEqual(await people(), [{ username: 'anna_' }]);
});

test('brings the previous data back after PostgreSQL was away during a restore', async (t) => {
  const { url, restore, fail, people } = await loadingWall(t);
  const through = new URL(url);
  const port = Number(through.port);
  await using relay = await Relay.to(port);
  through.port = String(relay.port);
  const { ended } = await restore(through.href);
  const earlier = relay.connections;
  relay.pointTo(await freePort());
  await fail();
  await pollWithin(2_000, () => relay.connections > earlier || undefined);
  relay.pointTo(port);
  const { code, errors } = await ended;
  assert.deepEqual([code, errors.replace(asideNote, '')], [1, 'pg_restore: no\n']);
  assert.deepEqual(await people(), [{ username: 'anna_' }]);
});
