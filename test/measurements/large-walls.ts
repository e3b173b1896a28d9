import { cp } from 'node:fs/promises';
import { Client } from 'pg';
import { moveRows } from '../../server/commands/backup/move-rows.ts';
import { loadMigrations } from '../../server/db/migrate.ts';
import { sqliteFile } from '../../server/db/open-database.ts';
import { migratePostgres } from '../../server/db/postgres/migrate-postgres.ts';
import type { Engine, Place } from '../kit/engines.ts';
import { freshDatabase } from '../kit/postgres.ts';
import { cachedWall, demoWall, fingerprint } from './demo-wall.ts';
import { multiplyWall } from './multiply-wall.ts';
import { count } from './numbers.ts';

/** Posts of the demo wall that large ones are made of. */
export const multiplied = 1_000_000;

/** That demo wall, and one of `copies` times its posts. `dataDir` is for what a server on PostgreSQL stores in files. */
export function largeWalls(engine: Engine, copies: number, dataDir: string): Promise<[small: Place, large: Place]> {
  return engine === 'sqlite' ? onSqlite(copies) : onPostgres(copies, dataDir);
}

async function onSqlite(copies: number): Promise<[Place, Place]> {
  const small = await demoWall(multiplied);
  const large = await cachedWall(`${multiplied}x${copies}`, copies * multiplied, async (place) => {
    await cp(small.dataDir, place.dataDir, { recursive: true });
    await multiply(place, copies);
  });
  return [small, large];
}

/** The walls are databases that stay on the server that ENGINE_URL names. Without one they end with this process. */
async function onPostgres(copies: number, dataDir: string): Promise<[Place, Place]> {
  const server = process.env['ENGINE_URL'] ?? (await freshDatabase()).url;
  const placeOf = (name: string): Place => ({ databaseUrl: new URL(`/${name}`, server).href, dataDir });
  const nameOf = (posts: string): string => `wall_${posts}_${fingerprint()}`;
  const [small, large] = [nameOf(`${multiplied}`), nameOf(`${multiplied}x${copies}`)];
  const client = new Client(server);
  await client.connect();

  async function fill(name: string, template: string, work: (place: Place) => Promise<void>): Promise<void> {
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length > 0) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished}`);
    await client.query(`create database ${unfinished} template ${template} strategy file_copy`);
    await work(placeOf(unfinished));
    await client.query(`alter database ${unfinished} rename to ${name}`);
  }
  await fill(small, 'template0', moveDemo);
  await fill(large, small, (place) => multiply(place, copies));
  await client.end();
  return [placeOf(small), placeOf(large)];
}

/** The demo wall on SQLite is moved: this takes a tenth of the time of generating another one. */
async function moveDemo(place: Place): Promise<void> {
  const { dataDir } = await demoWall(multiplied);
  await migratePostgres(place.databaseUrl!, await loadMigrations('postgres'));
  const client = new Client(place.databaseUrl);
  await client.connect();
  // Without triggers foreign keys are not checked.
  await client.query('set session_replication_role = replica');
  await client.query('begin');
  await moveRows(sqliteFile(dataDir), client);
  await client.query('commit');
  await client.end();
  await multiply(place, 1);
}

async function multiply(place: Place, copies: number): Promise<void> {
  const begun = performance.now();
  await multiplyWall(place, copies, (copy) => {
    console.error(`${count(copy * multiplied)} posts, ${Math.round((performance.now() - begun) / 1_000)} s`);
  });
}
