import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { WallAdmin } from '#contract/wall-admin.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { selectMajor } from '../db/postgres/migrate-postgres.ts';
import type { Schema } from '../db/schema.ts';
import { readSetting } from '../db/wall-setting-rows.ts';

const dayMs = 24 * 3_600_000;

const key = 'last_backup';
const checkKey = 'copy_check';

/** A statement for both engines. The backup commands run it directly, whatever version of the server is running. */
const putStatement = (name: string, value: string): string =>
  `insert into wall_settings (key, value) values ('${name}', '${value.replaceAll("'", "''")}') on conflict (key) do update set value = excluded.value`;

/** The statement that records when a backup was begun. */
export const recordBackup = (unixSeconds: number): string => putStatement(key, String(unixSeconds));

export type CopyCheck = NonNullable<WallAdmin['health']['copy_check']>;

export const recordCopyCheck = (check: CopyCheck): string => putStatement(checkKey, JSON.stringify(check));

/** The last check of a copy; null before the first check. */
export async function lastCopyCheck(db: Kysely<Schema>): Promise<CopyCheck | null> {
  const stored = await readSetting(db, checkKey);
  // Versions up to 1.0 wrote no `shrunk`.
  return stored === undefined ? null : ({ shrunk: null, ...JSON.parse(stored) } as CopyCheck);
}

/** Unix seconds; 0 before the first backup. */
export async function lastBackup(db: Kysely<Schema>): Promise<number> {
  return Number((await readSetting(db, key)) ?? 0);
}

/**
 * The environment for PostgreSQL's programs. Without a host, Debian runs the pg_dump of the cluster on port 5432 instead of the
 * newest installed one.
 */
export const toolEnvironment = (): NodeJS.ProcessEnv => ({ PGHOST: 'localhost', ...process.env, LC_ALL: 'C' });

/** The major version in the output of `--version` of PostgreSQL's programs. */
export const majorIn = (version: string): number => Number(/(\d+)(\.|devel|beta|rc)/.exec(version)?.[1]);

/** Only warns about a missing folder, because without it only the second copies fail. */
export function warnOfCopyFolder({ copyTo }: Pick<Config, 'copyTo'>, log: Logger): void {
  if (copyTo === undefined || statSync(copyTo, { throwIfNoEntry: false })?.isDirectory()) return;
  log.warn(`COPY_TO must name a folder that exists, not ${JSON.stringify(copyTo)}: there will be no second copies`);
}

/** Logs now and every day why backups on this machine will fail. */
export function warnOfDumpProgram(db: Database, log: Logger): void {
  if (db.engine !== 'postgres') return;
  const warn = async (): Promise<void> => {
    const { rows } = await sql.raw<{ major: number }>(selectMajor).execute(db.read);
    const server = rows[0]!.major;
    const found = await dumpMajor();
    if (found !== undefined && found >= server) return;
    const lack = found === undefined ? 'there is no pg_dump' : `pg_dump ${found} is older than PostgreSQL ${server}`;
    log.warn(`backups fail on this machine because ${lack}: install postgresql-client-${server}`);
  };
  // While PostgreSQL is away, its version is unknown.
  const check = () => void warn().catch(() => {});
  check();
  setInterval(check, dayMs).unref();
}

async function dumpMajor(): Promise<number | undefined> {
  try {
    return majorIn((await promisify(execFile)('pg_dump', ['--version'], { env: toolEnvironment() })).stdout);
  } catch {
    return undefined;
  }
}
