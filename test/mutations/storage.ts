import type { Mutations } from './mutation.ts';

/** Rules about storage, faults and operation. */
export const storage: Mutations = {
  23: {
    'a response is sent before the sync, and the power fails': {
      change: ['server/db/sqlite/group-writer.ts', 'void this.#wal.durable().then(', 'void Promise.resolve().then('],
      test: ['server/db/sqlite/power-cut.test.ts', 'loses no acknowledged row'],
    },
  },
  24: {
    'processes that start together migrate SQLite at the same time': {
      change: ['server/db/sqlite/migrate-sqlite.ts', "database.exec('begin immediate');", "database.exec('begin');"],
      test: ['server/db/migrations.test.ts', 'start together on an older database'],
    },
  },
  25: {
    'the process keeps running after a failed sync': {
      change: ['server/db/open-database.ts', 'process.exit(1);', ''],
      test: ['server/db/sqlite/sync-failure.test.ts', 'ends the process with a one-line error'],
    },
  },
  26: {
    'SQLite waits for a lock and blocks the event loop': {
      change: [
        'server/db/sqlite/open-sqlite.ts',
        "writer.exec('pragma busy_timeout = 0');",
        "writer.exec('pragma busy_timeout = 5000');",
      ],
      test: ['server/db/sqlite/foreign-lock.test.ts', 'fails all waiting writes as unavailable'],
    },
  },
  161: {
    'a copy that lacks posts passes its check': {
      change: [
        'server/commands/backup/check-copy.ts',
        'present[table] - copied[table]',
        'copied[table] - present[table]',
      ],
      test: ['server/commands/backup/check-copy.test.ts', 'is proven by restoring it'],
    },
  },
  27: {
    'a backup lacks the secret, which signs everybody out': {
      change: ['server/commands/backup/sqlite-backup.ts', 'draft, secret);', 'draft, null);'],
      test: ['server/commands/backup/round-trip.test.ts', 'complete and consistent'],
    },
  },
  28: {
    'responses are cached while write notices cannot be read': {
      change: [
        'server/db/postgres/write-notices.ts',
        'performance.now() - this.#last.begunAt < patienceMs',
        'this.#last.begunAt > 0',
      ],
      test: ['server/db/changes-postgres.test.ts', 'are known to be missing when PostgreSQL does not answer'],
    },
    'a process looks only now and then for what others have written': {
      change: ['server/db/postgres/open-postgres.ts', 'pollMs = 50', 'pollMs = 5_000'],
      test: ['server/http/response-cache.test.ts', 'shows writes of another process within a second'],
    },
    'a transaction that was aborted by a deadlock is not repeated': {
      change: ['server/db/postgres/postgres-errors.ts', "new Set(['40001', '40P01'])", "new Set(['nothing'])"],
      test: ['server/db/transactions.test.ts', 'both succeed after a deadlock'],
    },
  },
  29: {
    'each process has its own idempotency keys': {
      change: ['server/features/posts/writing-routes.ts', '`${userId} ${key}`', '`${userId} ${key} ${process.pid}`'],
      test: ['server/features/posts/processes.test.ts', 'an idempotency key sent to both writes once'],
    },
    'a process answers a writer before it has received the write': {
      change: [
        'server/features/sessions/own-writes.ts',
        'isBehind(request.raw) ? untilCaughtUp() : undefined',
        'undefined',
      ],
      test: [
        'server/features/sessions/own-writes.test.ts',
        'what a browser has written through one process it reads through the other',
      ],
    },
  },
  30: {
    'idle connections of a proxy are closed at once': {
      change: ['server/http/connections.ts', 'server.closeIdleConnections = () => {};', ''],
      test: ['server/main.test.ts', 'responds to a further request on an open connection'],
    },
  },
  31: {
    'a rejected mail is logged with its address': {
      change: ['server/mail/sender.ts', "code, command }, 'mail not accepted'", "err: error }, 'mail not accepted'"],
      test: ['server/features/sign-in/processes.test.ts', 'logs are JSON lines'],
    },
  },
  35: {
    'a page number may skip any number of rows': {
      change: ['server/features/posts/list-pages.ts', 'skip > skippedAtMost', 'skip < 0'],
      test: ['server/features/posts/deep-pages.test.ts', 'every list continues by cursor at any depth'],
    },
  },
  36: {
    'a post is deleted with all its likes in one transaction': {
      change: ['server/features/posts/move-likes.ts', 'const batch = 100;', 'const batch = 1_000_000;'],
      test: [
        'server/features/posts/many-likes.test.ts',
        'a post with many likes is deleted at once, its likes in batches, also by another process',
      ],
    },
  },
  37: {
    'a person may run several downloads at once': {
      change: ['server/features/account/export-http.ts', 'if (running.has(userId)) {', 'if (running.size < 0) {'],
      test: ['server/features/account/export.test.ts', 'one export at a time, five an hour'],
    },
  },
  46: {
    'an empty secret in the data folder signs tokens': {
      change: ['server/secrets.ts', 'if (isWeakSecret(secret)) {', 'if (secret === null) {'],
      test: ['server/secrets.test.ts', 'rejects an empty or short stored secret'],
    },
  },
  47: {
    'other users of the machine can read the database and the mails': {
      change: ['server/main.ts', 'process.umask(0o077);', ''],
      test: ['server/private-files.test.ts', 'of the server'],
    },
    'the server runs as root in production': {
      change: ['server/main.ts', 'process.getuid?.() !== 0', 'process.getuid?.() !== -1'],
      test: ['server/main.test.ts', 'does not run as root in production'],
    },
  },
  48: {
    'a restore ignores the checksum': {
      change: ['server/commands/backup/sqlite-restore.ts', 'await refuseOtherChecksum(file);', ''],
      test: ['server/commands/backup/soundness.test.ts', 'detects a flipped bit anywhere in a copy'],
    },
  },
  49: {
    'any Node binary from the packages is run': {
      change: ['scripts/node-checksum.mjs', 'lines.includes(`${found}  ${name}`)', 'lines.length > 0'],
      test: ['scripts/node-checksum.test.ts', 'rejects a Node that is not listed'],
    },
  },
  57: {
    'a job stays locked after a crash': {
      change: ['server/db/job-queue.ts', "eb('locked_until', '<=', now),", ''],
      test: ['server/ops/jobs/job-runner.test.ts', 'runs a job again when the process that had locked it crashed'],
    },
    'a run that has lost its lock still writes': {
      change: ['server/db/job-queue.ts', '  if (!renewed) throw', '  if (!renewed && now < 0) throw'],
      test: ['server/ops/jobs/job-runner.test.ts', 'commits nothing of a run that has lost its lock'],
    },
  },
  103: {
    'a deleted text stays on a page for a second': {
      change: ['server/http/written-tags.ts', 'if (!isAdding) this.replacedAt = at;', ''],
      test: ['server/pages/page-lag.test.ts', 'never shows what was deleted, removed, replaced or renamed'],
    },
  },
  104: {
    'pages are compressed by the thread that answers': {
      change: ['server/pages/routes.ts', 'await page.prepare(request.headers);', ''],
      test: ['server/pages/compression.test.ts', 'is compressed in another thread'],
    },
  },
  105: {
    'a person who is signed in gets what visitors get': {
      change: ['server/http/fast-path.ts', "'authorization', ", ''],
      test: ['server/http/fast-path.test.ts', 'people who are signed in'],
    },
    'what is sent without its route is not limited': {
      change: ['server/http/fast-path.ts', ' || this.#options.secondsToWait(request) > 0', ''],
      test: ['server/http/fast-path.test.ts', 'counts for the limit of reads'],
    },
  },
  113: {
    'a response that a standby made is not checked for writes that it lacks': {
      change: ['server/http/response-cache.ts', 'return isValid ?', 'return validAt ?'],
      test: ['server/http/replicas.test.ts', 'show every write at once, however far the standbys are behind'],
    },
  },
  116: {
    'an id above 2^53 is read as another one on PostgreSQL': {
      change: ['server/db/postgres/open-postgres.ts', 'if (Number.isSafeInteger(number))', 'if (number)'],
      test: ['server/db/largest-ids.test.ts', 'fails the query instead of becoming another id'],
    },
  },
  117: {
    'open streams receive nothing after a move to a server with lower positions': {
      change: ['server/live/broadcast.ts', '(await newestPosition(read)) >= position', 'true'],
      test: ['server/live/events-postgres.test.ts', 'after a move to another server'],
    },
  },
  118: {
    'a migration of an earlier release has changed': {
      change: [
        'server/db/migrations/0001-initial.sqlite.sql',
        'create table likes (',
        'create table likes (note text,',
      ],
      test: ['test/upgrade/upgrade.test.ts', 'restores the backup of an earlier release'],
    },
  },
  125: {
    'two turns get the same number': {
      change: [
        'server/db/postgres/sequencer-order.ts',
        'update sequencer set last = last + 1',
        'update sequencer set last = greatest(last, 1)',
      ],
      test: ['server/db/postgres/sequencer-order.test.ts', 'gives all processes the same changes in the same order'],
    },
  },
  131: {
    'each refused write is logged during an outage': {
      change: ['server/db/write-outage.ts', 'else if (!db.writes.areFailing) log.warn', 'else log.warn'],
      test: ['server/db/write-outage.test.ts', 'one line begins the outage'],
    },
  },
};
