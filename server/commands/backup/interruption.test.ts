import assert from 'node:assert/strict';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { asideNote, program } from '../../../test/kit/backup-process.ts';
import { startCommand } from '../../../test/kit/command-process.ts';
import { freshPlace } from '../../../test/kit/engines.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { openDatabase } from '../../db/open-database.ts';
import { withClient } from './postgres-tools.ts';

/** A wall of one person on PostgreSQL, and a pg_restore that runs until the test makes it fail. */
async function loadingWall(t: TestContext) {
  const { place, remove } = await freshPlace('postgres');
  t.after(remove);
  const db = await openDatabase(place, assert.fail);
  await db.tx((tx) => createUser(tx, { username: 'anna_', email: 'anna@example.org', now: 1 }));
  await db.close();
  const [copy, tools] = [join(place.dataDir, 'wall.backup'), join(place.dataDir, 'tools')];
  const [loading, failing] = [join(place.dataDir, 'loading'), join(place.dataDir, 'failing')];
  await writeFile(copy, 'PGDMP');
  await mkdir(tools);
  const tool = join(tools, 'pg_restore');
  const load = `touch ${loading}; until [ -e ${failing} ]; do sleep 0.05; done; echo "pg_restore: error: no" >&2; exit 1`;
  await writeFile(tool, `#!/bin/sh\ncase "$*" in *--single*) ${load} ;; esac; echo "pg 99.1"; printf "1\\t"\n`);
  await chmod(tool, 0o755);

  /** Starts a restore; resolves when it loads. */
  const restore = async () => {
    await rm(loading, { force: true });
    const settings = { PATH: `${tools}:${process.env['PATH']}` };
    const { child, ended } = startCommand(program, place, ['restore', copy, '--replace'], settings);
    while (child.exitCode === null && !(await stat(loading).catch(() => undefined))) await sleep(10);
    return { child, ended };
  };
  const people = async () => {
    const opened = await openDatabase(place, assert.fail);
    const rows = await opened.read.selectFrom('users').select('username').execute();
    await opened.close();
    return rows;
  };
  return { url: place.databaseUrl!, restore, fail: () => writeFile(failing, ''), people };
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
  const { ended } = await restore();
  const name = new URL(url).pathname.slice(1);
  const other = new URL(url);
  other.pathname = 'postgres';
  await withClient(other.href, async (client) => {
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await fail();
    await sleep(500);
    await client.query(`alter database ${name} allow_connections true`);
  });
  const { code, errors } = await ended;
  assert.deepEqual([code, errors.replace(asideNote, '')], [1, 'pg_restore: no\n']);
  assert.deepEqual(await people(), [{ username: 'anna_' }]);
});
