import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotCopy, done, freshPlaceToCopy, program, refused } from '../../../test/kit/backup-process.ts';
import { errorOf, runAdmin, runCommand } from '../../../test/kit/command-process.ts';
import type { Engine, FreshPlace, Place } from '../../../test/kit/engines.ts';
import { startServer } from '../../../test/kit/server-process.ts';
import { createUser } from '../../../test/kit/create-user.ts';
import { openDatabase } from '../../db/open-database.ts';
import { storedSecret } from '../../secrets.ts';
import { isInUse, withClient } from './postgres-tools.ts';

interface Killing {
  engine: Engine;
  copyOf: Engine;
  /** The next step of the restore, as in `test/kit/killed-at.ts`. */
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
async function wall(engine: Engine, username: string): Promise<FreshPlace> {
  const fresh = await freshPlaceToCopy(engine);
  const { place } = fresh;
  const db = await openDatabase(place, assert.fail);
  await db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: 1 }));
  await db.close();
  if (engine === 'sqlite') await storedSecret(place.dataDir);
  return fresh;
}

/** The people of a wall and its secret. */
async function contentOf(place: Place) {
  const db = await openDatabase(place, assert.fail);
  const users = await db.read.selectFrom('users').select('username').execute();
  await db.close();
  return {
    users: users.map(({ username }) => username),
    secret: place.databaseUrl ?? (await storedSecret(place.dataDir)),
  };
}

interface Copied extends FreshPlace {
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
  const file = join(other.place.dataDir, 'wall.backup');
  await done(other.place, 'backup', file);
  return { ...other, file, content: await contentOf(other.place) };
}

async function killedRestore(place: Place, copy: string, before: string): Promise<void> {
  const settings = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: `--import=${new URL('../../../test/kit/killed-at.ts', import.meta.url).href}`,
    KILLED_AT: before,
  };
  const { code, output, errors } = await runCommand(program, place, ['restore', copy, '--replace'], settings);
  assert.deepEqual([code, output], [null, ''], errors);
  // PostgreSQL notices a moment later that its client is gone.
  while (place.databaseUrl && (await withClient(place.databaseUrl, isInUse))) await sleep(20);
}

/** Runs the command of the last words of a refusal, as an operator would. */
async function bringBack({ databaseUrl }: Place, refusal: string): Promise<void> {
  const [, command] = /bring the previous one back: (.+)$/m.exec(refusal)!;
  if (!databaseUrl) execFileSync('sh', ['-c', command!]);
  const statements = [...command!.matchAll(/ -c '([^']+)'/g)].map(([, statement]) => statement!);
  if (databaseUrl) await withClient(databaseUrl, (client) => client.query(statements.join(';')));
}

const lacks = { sqlite: await cannotCopy('sqlite'), postgres: await cannotCopy('postgres') };

describe('a killed restore', { concurrency: 2 }, () => {
  after(() => Promise.all([...copied.values()].map(async (made) => (await made).remove())));

  for (const { engine, copyOf: from, before, leaves } of killings) {
    test(`a restore on ${engine} that is killed before “${before}” leaves ${leaves}`, async (t) => {
      if (lacks[from]) return t.skip(lacks[from]);
      await using fresh = await wall(engine, 'anna_');
      const { place } = fresh;
      const { file: copy, content } = await copyOf(from);
      const walls = {
        'the previous wall': await contentOf(place),
        'the copy': { ...content, ...(engine === 'postgres' && { secret: place.databaseUrl }) },
      };
      await killedRestore(place, copy, before);
      if (leaves !== 'neither') return assert.deepEqual(await contentOf(place), walls[leaves]);

      const refusal =
        /^A restore was not finished: there is no wall, and the previous one is in .*replaced_.* \.\/stena restore FILE, or .*\n$/;
      await assert.rejects(startServer(place), ({ message }: Error) => refusal.test(message.replace(/^.*\n/, '')));
      assert.match(await refused(place, ['backup', `${copy} 2`]), refusal);
      const line = errorOf(await runAdmin(place, 'stats'), ['stats']);
      assert.match(line, refusal);
      await bringBack(place, line);
      assert.deepEqual(await contentOf(place), walls['the previous wall']);

      await killedRestore(place, copy, before);
      assert.match(await done(place, 'restore', copy), /^Стена восстановлена/);
      assert.deepEqual(await contentOf(place), walls['the copy']);
    });
  }
});
