import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates } from 'node:tls';
import pg, { type Client } from 'pg';
import { majorIn, toolEnvironment } from '../../ops/backups.ts';
import { CommandError, toLine } from '../admin/terminal.ts';
import { foreign } from './backup-errors.ts';

interface StoredProgram {
  id: string;
  kind: string;
  /** The name of a function, with its arguments and in quotes where it needs them. */
  name: string;
}

/** Finds objects that run by themselves or can be called. Ids below 16384 come with PostgreSQL; _RETURN is the rule of a view. */
const programs = `
  select kind || ' ' || oid as id, kind, name from (
    select oid, 'trigger' as kind, tgname::text as name from pg_trigger where not tgisinternal
    union all select oid, 'event trigger', evtname from pg_event_trigger
    union all select oid, 'rule', rulename from pg_rewrite where rulename <> '_RETURN'
    union all select oid, 'policy', polname from pg_policy
    union all select oid, 'function', oid::regprocedure::text from pg_proc
  ) as every where oid >= 16384`;

export async function storedPrograms(client: Client): Promise<StoredProgram[]> {
  return (await client.query<StoredProgram>(programs)).rows;
}

/**
 * Refuses a loaded copy that has added a trigger, a rule or a function, and removes its functions. The list of entries of a copy
 * may not show them, because the SQL of each entry is executed unchecked.
 */
export async function refuseAdded(client: Client, before: readonly StoredProgram[]): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const added = (await storedPrograms(client)).filter(({ id }) => !known.has(id));
  if (added.length === 0) return;
  for (const { kind, name } of added) {
    if (kind === 'function') await client.query(`drop routine if exists ${name} cascade`);
  }
  throw foreign(added.map(({ kind, name }) => `${kind} ${name}`));
}

type Tool = 'pg_dump' | 'pg_restore';

/** Runs a PostgreSQL client program; resolves to its output. */
export async function runTool(
  tool: Tool,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  interrupted?: AbortSignal,
): Promise<string> {
  interrupted?.throwIfAborted();
  const child = spawn(tool, args, { env: { ...toolEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  interrupted?.addEventListener('abort', () => child.kill());
  try {
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    if (code !== 0) throw new CommandError(`${tool}: ${toLine(firstError(errors))}`);
    return output;
  } catch (error) {
    throw isMissing(error) ? new CommandError(`Не найдена программа ${tool}: установите клиент PostgreSQL.`) : error;
  }
}

/** Refuses a program that is older than the server. */
export async function refuseOlderTool(tool: Tool, server: number): Promise<void> {
  const major = majorIn(await runTool(tool, ['--version']));
  if (major >= server) return;
  throw new CommandError(
    `${tool} версии ${major} старее сервера PostgreSQL ${server}: установите клиент версии ${server} или новее.`,
  );
}

/** Connection arguments. The password goes through the environment, because other users can read a command line. */
export function connectionOf(databaseUrl: string): { dbname: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  // `delete` has serialized spaces as plus signs, which the programs do not read as spaces.
  url.search = url.search.replaceAll('+', '%20');
  return { dbname: `--dbname=${url.href}`, env: password ? { PGPASSWORD: password } : {} };
}

/** Runs a program that connects to the database; resolves to its output. */
export async function runOnDatabase(
  tool: Tool,
  args: readonly string[],
  databaseUrl: string,
  interrupted?: AbortSignal,
): Promise<string> {
  const { dbname, env } = connectionOf(databaseUrl);
  const run = (other: NodeJS.ProcessEnv = {}) => runTool(tool, [dbname, ...args], { ...env, ...other }, interrupted);
  if (!lacksAuthorities(databaseUrl)) return run();
  const folder = await mkdtemp(join(tmpdir(), 'stena-authorities-'));
  try {
    const file = join(folder, 'root.crt');
    await writeFile(file, getCACertificates('default').join('\n'), { mode: 0o600 });
    return await run({ PGSSLROOTCERT: file });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whether the programs need to be told the trusted authorities: unlike Node.js they look for a file in the home folder. */
function lacksAuthorities(databaseUrl: string): boolean {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get('sslmode') ?? process.env['PGSSLMODE'] ?? '';
  return mode.startsWith('verify-') && !searchParams.get('sslrootcert') && !process.env['PGSSLROOTCERT'];
}

/** The first error, because later ones follow from it. */
const firstError = (errors: string): string =>
  errors
    .split('\n')
    .find((message) => /error|FATAL/i.test(message))
    ?.replace(/^pg_\w+: (error: )?/, '') ?? errors.trim();

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Runs `work` with a connection to the database. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // If the connection breaks, the next query fails. Without a listener the process would end.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether another client is connected; a running server always has a connection. */
export async function isInUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return rows.length > 0;
}
