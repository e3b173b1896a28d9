import type pg from 'pg';
import { StorageUnfit } from '../database.ts';
import { type Migration, pendingMigrations } from '../migrate.ts';
import { connect } from './connect.ts';
import { sessionName } from './write-notices.ts';

/** Longer than a pooler needs to open a connection, shorter than a pooler lets a client wait for one. */
const responseTimeoutMs = 5_000;

/**
 * Refuses a pooler that lends a connection for one transaction or statement, where prepared queries would be missing or belong to
 * others. Two clients detect it. A pooler that lends the connection returned last gives both clients the same one. A pooler that
 * lends the connection returned first gives the second client another one at its second query.
 */
async function refuseSharedSessions(url: string): Promise<void> {
  const one = await connect(url, responseTimeoutMs);
  const other = await connect(url, responseTimeoutMs);
  try {
    const [first, second, again] = [await backendOf(one), await backendOf(other), await backendOf(other)];
    if (first !== second && second === again) return;
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
  throw new StorageUnfit(
    'DATABASE_URL: пулер (pool_mode = transaction или statement) отдаёт одно соединение нескольким клиентам. Стене нужны сеансы: задайте pool_mode = session или обойдитесь без пулера.',
  );
}

async function backendOf(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!.pid;
  } catch (error) {
    if ((error as Error).message !== 'Query read timeout') throw error;
    throw new StorageUnfit(
      'DATABASE_URL: второе соединение не получает ответа. У пулера должно быть не меньше 12 соединений на каждый процесс.',
      { cause: error },
    );
  }
}

const oldestPostgres = 15;

/**
 * SQLSTATEs after another process has made the same tables meanwhile: a unique key of the catalogue, an existing table, a
 * serialization failure.
 */
const wasBeaten = new Set(['23505', '42P07', '40001']);

/** Migrates the database to the newest version in one transaction. */
export async function migratePostgres(url: string, migrations: Migration[]): Promise<void> {
  const client = await connect(url);
  try {
    await refuseSharedSessions(url);
    await inTransaction(client, () => applyMigrations(client, migrations));
    await beginLog(client);
  } finally {
    await client.end();
  }
}

/** Runs a transaction, once more if another process was faster: that process has committed by then. */
async function inTransaction<T>(client: pg.Client, run: () => Promise<T>, isSecondTry = false): Promise<T> {
  await client.query('begin');
  try {
    const result = await run();
    await client.query('commit');
    return result;
  } catch (error) {
    if (isSecondTry || !wasBeaten.has((error as { code?: string }).code ?? '')) throw error;
    await client.query('rollback');
    return inTransaction(client, run, true);
  }
}

/**
 * The log of changes is empty at first and after a restore. A row of a kind that no subscriber gets is inserted, so that it can be
 * detected later whether the log was emptied again.
 */
async function beginLog(client: pg.Client): Promise<void> {
  await client.query(
    `insert into changes (kind, post_id, owner_id, created_at)
     select 'read', 0, 0, 0 where not exists (select from changes)`,
  );
}

/** Migrates the database in the open transaction of the client. */
export async function applyMigrations(client: pg.Client, migrations: Migration[]): Promise<void> {
  const major = await serverMajor(client);
  if (major < oldestPostgres) {
    throw new StorageUnfit(`PostgreSQL ${major} устарел: нужен ${oldestPostgres} или новее.`);
  }
  await client.query(
    'create table if not exists migrations (version integer primary key, name text not null, applied_at bigint not null)',
  );
  // Row locks make processes migrate one after another; some engines have no advisory locks. A new database has no rows to lock:
  // there the first process that creates the tables wins.
  await client.query('select version from migrations for update');
  await refuseSequencer(client);
  const { rows: applied } = await client.query<Migration>('select version, name from migrations');
  const pending = pendingMigrations(migrations, applied);
  if (applied.length > 0 && pending.length > 0) await refuseOlderProcesses(client);
  for (const { version, name, sql } of pending) {
    await client.query(sql);
    await client.query('insert into migrations values ($1, $2, extract(epoch from now())::bigint)', [version, name]);
  }
  if (applied.length > 0 && pending.length > 0) await client.query(analyzePosts);
  await dropTextStatistics(client);
}

/**
 * Without statistics about a new column PostgreSQL expects that few posts are shown. Statistics of an empty table would make it expect
 * that the table stays empty.
 */
const analyzePosts = `
  do $$ begin
    if exists (select from all_posts) then
      analyze all_posts;
    end if;
  end $$`;

/**
 * Refuses to change the tables while processes of older versions are running, which know only the present tables. Each running
 * process is found by its session that reads write notices; up to 1.0 this session has no name. The session of a killed process
 * has ended. Processes of this version open theirs only after the tables are changed.
 */
async function refuseOlderProcesses(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; host: string | null; pid: number }>(
    `select application_name as name, host(client_addr) as host, pid from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (application_name like '${sessionName}%' or query like '%from announcements%position%')
     order by pid`,
  );
  if (rows.length === 0) return;
  const named = rows.map(
    ({ name, host, pid }) => `${name || 'стена 1.0'} (${host ?? 'эта машина'}, соединение ${pid})`,
  );
  throw new StorageUnfit(
    `Новой версии нужно изменить таблицы, а с ними ещё работают процессы прежней: ${named.join(', ')}. Остановите их и запустите эту снова.`,
  );
}

/** Up to 1.0, the tables on engines without transaction numbers were others, with the table `sequencer`. */
async function refuseSequencer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('sequencer') is not null as found");
  if (!rows[0]!.found) return;
  throw new StorageUnfit(
    'База сделана для движка без номеров транзакций, а стене нужен PostgreSQL: перенесите её копией (backup прежней программой, restore этой).',
  );
}

/**
 * Removes the statistics of columns with texts. Statistics contain values of deleted rows too, and no query needs them for texts.
 * Changing a column to its own type drops its statistics and rewrites nothing. A migration has done it for the texts of posts, because
 * views read that column.
 */
async function dropTextStatistics(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string; type: string }>(
    `select attrelid::regclass::text as name, attname as column, format_type(atttypid, atttypmod) as type
     from pg_attribute
     where attrelid in (to_regclass('reports'), to_regclass('post_words'))
       and attname in ('text', 'words') and coalesce(attstattarget, -1) <> 0`,
  );
  for (const { name, column, type } of rows) {
    await client.query(
      `alter table ${name} alter column ${column} set statistics 0, alter column ${column} type ${type}`,
    );
  }
}

export const selectMajor = "select current_setting('server_version_num')::integer / 10000 as major";

export async function serverMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(selectMajor);
  return rows[0]!.major;
}
