import { byRule } from './mutation.ts';

const groupWriter = 'server/db/sqlite/group-writer.ts';
const faultsTest = 'test/faults/faults.test.ts';
const walSync = 'server/db/sqlite/wal-sync.ts';
const slowDiskTest = 'server/db/sqlite/slow-disk.test.ts';
const migrateSqlite = 'server/db/sqlite/migrate-sqlite.ts';
const migrationsTest = 'server/db/migrations.test.ts';
const migratePostgres = 'server/db/postgres/migrate-postgres.ts';
const openDatabase = 'server/db/open-database.ts';
const syncFailureTest = 'server/db/sqlite/sync-failure.test.ts';
const openSqlite = 'server/db/sqlite/open-sqlite.ts';
const foreignLockTest = 'server/db/sqlite/foreign-lock.test.ts';
const main = 'server/main.ts';

/** Durability, migrations, disk faults, backups and shutdown: rules 23–27, 30. */
export const storage = byRule({
  23: {
    'a write is acknowledged although a query that was sent has failed': {
      change: [openSqlite, 'await sent.succeeded();', ''],
      test: ['server/db/transactions.test.ts', 'fail with the error of a query that was sent and not awaited'],
    },
    'a response is sent before the sync, and the power fails': {
      change: [groupWriter, 'void this.#wal.durable().then(', 'void Promise.resolve().then('],
      test: ['server/db/sqlite/power-cut.test.ts', 'loses no acknowledged row'],
    },
    'the same in a server process': {
      change: [groupWriter, 'void this.#wal.durable().then(', 'void Promise.resolve().then('],
      test: [faultsTest, 'withstands power-cut'],
    },
    'a sync acknowledges commits that came after its start': {
      change: [
        walSync,
        'if (!this.#running) return (this.#running = this.#start());',
        'if (this.#fd > 0) return (this.#running ??= this.#start());',
      ],
      test: [slowDiskTest, 'acknowledges only commits made before the sync began'],
    },
    'a commit waits for the disk, and its rows cannot be read meanwhile': {
      change: [
        groupWriter,
        "this.#database.exec('commit');",
        "await this.#wal.durable();\n      this.#database.exec('commit');",
      ],
      test: [slowDiskTest, 'but not reads'],
    },
    'the sync blocks the event loop': {
      change: [
        walSync,
        'new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())));',
        "Promise.resolve(process.getBuiltinModule('node:fs').fdatasyncSync(fd));",
      ],
      test: [slowDiskTest, 'does not block the event loop'],
    },
  },
  24: {
    'each statement of a migration on SQLite is its own transaction': {
      change: [
        migrateSqlite,
        "database.exec('begin immediate');",
        "database.exec('begin immediate; commit'); database.exec = new Proxy(database.exec, { apply: (exec, self, [sql]) => sql === 'commit' || exec.call(self, sql) });",
      ],
      test: [migrationsTest, 'rolls back every migration when one fails'],
    },
    'each migration on PostgreSQL is committed separately': {
      change: [
        migratePostgres,
        'await client.query(sql);',
        "await client.query('commit; begin');\n      await client.query(sql);",
      ],
      test: [migrationsTest, 'rolls back every migration when one fails'],
    },
    'processes that start together migrate SQLite at the same time': {
      change: [migrateSqlite, "database.exec('begin immediate');", "database.exec('begin');"],
      test: [migrationsTest, 'start together on an older database'],
    },
    'processes that start together migrate PostgreSQL at the same time': {
      change: [
        migratePostgres,
        "await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);",
        'void migrationLock;',
      ],
      test: [migrationsTest, 'start together on an older database'],
    },
    'a database of a newer version is accepted': {
      change: ['server/db/migrate.ts', 'if (current > newest) {', 'if (current > newest && newest < 0) {'],
      test: ['server/main.test.ts', 'written by a newer version'],
    },
  },
  25: {
    'the process keeps running after a failed sync': {
      change: [openDatabase, 'process.exit(1);', ''],
      test: [syncFailureTest, 'ends the process with a one-line error'],
    },
    'the same on a disk that fails': {
      change: [openDatabase, 'process.exit(1);', ''],
      test: [faultsTest, 'withstands failing-sync'],
    },
    'writes that waited for the failed sync are acknowledged before the process ends': {
      change: [
        walSync,
        'this.#onFailure(error as Error);\n      // Never resolves: waiting writes must not be acknowledged.\n      await new Promise(() => {});',
        'setTimeout(() => this.#onFailure(error as Error), 300);',
      ],
      test: [syncFailureTest, 'ends the process with a one-line error'],
    },
    'a full disk causes a 500': {
      change: [
        'server/db/sqlite/sqlite-errors.ts',
        'new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN])',
        'new Set([BUSY, READONLY, IOERR, CANTOPEN])',
      ],
      test: [faultsTest, 'withstands full-disk'],
    },
    'a write that failed on a full disk is acknowledged': {
      change: [
        groupWriter,
        'job.done({ ok: false, error: asStorageError(error) })',
        'job.done({ ok: true, value: 1 })',
      ],
      test: [faultsTest, 'withstands full-disk'],
    },
  },
  26: {
    'SQLite waits for a lock and blocks the event loop': {
      change: [openSqlite, "writer.exec('pragma busy_timeout = 0');", "writer.exec('pragma busy_timeout = 5000');"],
      test: [foreignLockTest, 'of 2 s delays writes'],
    },
    'the same in a server process': {
      change: [openSqlite, "writer.exec('pragma busy_timeout = 0');", "writer.exec('pragma busy_timeout = 5000');"],
      test: [faultsTest, 'withstands foreign-lock'],
    },
    'a write that finds a lock is rejected at once': {
      change: [groupWriter, 'const lockTimeoutMs = 5_000;', 'const lockTimeoutMs = 0;'],
      test: [faultsTest, 'withstands foreign-lock'],
    },
    'a write waits for a lock without a limit': {
      change: [groupWriter, 'const lockTimeoutMs = 5_000;', 'const lockTimeoutMs = 50_000;'],
      test: [foreignLockTest, 'of more than 5 s fails all waiting writes'],
    },
  },
  27: {
    'the database file is copied without its WAL': {
      change: [
        'server/commands/backup/sqlite-copy.ts',
        "wall.prepare('vacuum into ?').run(copy);",
        "process.getBuiltinModule('node:fs').copyFileSync(source, copy);",
      ],
      test: [faultsTest, 'withstands backup-sqlite'],
    },
    'a backup lacks the secret, which signs everybody out': {
      change: [
        'server/commands/backup/sqlite-backup.ts',
        'copySqlite(sqliteFile(dataDir), draft, secret);',
        'copySqlite(sqliteFile(dataDir), draft, secret && null);',
      ],
      test: ['server/commands/backup/round-trip.test.ts', 'complete and consistent, on sqlite'],
    },
  },
  30: {
    'the process ends at SIGTERM without finishing its requests': {
      change: [main, 'await app.close();\n    await db.close();', ''],
      test: [faultsTest, 'withstands stop-under-load'],
    },
    'event streams are not ended but cut off': {
      change: ['server/features/live/routes.ts', '    broadcast.close();\n', ''],
      test: [faultsTest, 'withstands stop-under-load'],
    },
    'SIGTERM is not handled': {
      change: [main, "process.on('SIGTERM', stop);", ''],
      test: [faultsTest, 'withstands stop-under-load'],
    },
  },
});
