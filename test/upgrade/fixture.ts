import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { Engine, Place } from '../kit/engines.ts';
import type { Remembered } from './lived-wall.ts';

/** One folder for each release, made by its own program (`npm run upgrade-fixture`). */
export const fixtures = join(import.meta.dirname, 'fixtures');

export const releases: string[] = existsSync(fixtures) ? readdirSync(fixtures).toSorted() : [];

/**
 * `left` is a wall as a kill left it: the folder of SQLite with its WAL, the tables of PostgreSQL as statements, which need no
 * program of PostgreSQL. `backup` is a backup file.
 */
const names = {
  sqlite: { left: 'sqlite.tar.gz', backup: 'sqlite.backup.gz', remembered: 'sqlite.json.gz' },
  postgres: { left: 'postgres.sql.gz', backup: 'postgres.backup.gz', remembered: 'postgres.json.gz' },
};

export const fileOf = (release: string, engine: Engine, kind: keyof (typeof names)[Engine]): string =>
  join(fixtures, release, names[engine][kind]);

export const contentOf = (...file: Parameters<typeof fileOf>): Buffer => gunzipSync(readFileSync(fileOf(...file)));

export const rememberedOf = (release: string, engine: Engine): Remembered =>
  JSON.parse(contentOf(release, engine, 'remembered').toString());

/** Puts the wall that a release left into an empty place. */
export async function lay(release: string, engine: Engine, { dataDir, databaseUrl }: Place): Promise<void> {
  if (!databaseUrl) {
    execFileSync('tar', ['xf', fileOf(release, engine, 'left'), '-C', dataDir]);
    return;
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('drop schema public cascade');
  await client.query(contentOf(release, engine, 'left').toString());
  await client.end();
}
