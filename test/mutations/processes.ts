import { byRule } from './mutation.ts';

const faultsTest = 'test/faults/faults.test.ts';
const writeOutage = 'server/db/write-outage.ts';
const outageTest = 'server/db/write-outage.test.ts';
const jobQueue = 'server/db/job-queue.ts';
const jobTest = 'server/ops/jobs/job-runner.test.ts';
const sender = 'server/mail/sender.ts';
const outbox = 'server/mail/outbox.ts';
const severalSendersTest = 'server/mail/several-senders.test.ts';
const processesTest = 'server/features/sign-in/processes.test.ts';
const postgresErrors = 'server/db/postgres/postgres-errors.ts';
const announcements = 'server/db/postgres/announcements.ts';
const changesTest = 'server/db/changes.test.ts';
const openPostgres = 'server/db/postgres/open-postgres.ts';
const ownWrites = 'server/features/sessions/own-writes.ts';
const ownWritesTest = 'server/features/sessions/own-writes.test.ts';
const responseCache = 'server/http/response-cache.ts';
const standby = 'server/db/postgres/standby.ts';
const replicasTest = 'server/http/replicas.test.ts';
const pipelinedPool = 'server/db/postgres/pipelined-pool.ts';
const transactionsTest = 'server/db/transactions.test.ts';
const budgets = 'server/limits/budgets.ts';
const postsProcessesTest = 'server/features/posts/processes.test.ts';

/** Mail, PostgreSQL, several processes and their replacement, jobs: rules 9, 28–30, 57, 113, 131. */
export const processes = byRule({
  9: {
    'a mail that was not accepted is not retried': {
      change: [sender, "outcome === 'delayed' ? next : null", 'null'],
      test: ['server/mail/mail.test.ts', 'an unreachable mail server delays the mail'],
    },
    'the response waits for the first try to send the mail': {
      change: [
        'server/features/sign-in/http.ts',
        'outbox.wake();',
        'outbox.wake(); await new Promise((resolve) => setTimeout(resolve, 3_000));',
      ],
      test: [faultsTest, 'withstands mail-down'],
    },
    'a process sends only the mails of its own requests': {
      change: [outbox, '.where(isDue).orderBy', ".where(isDue).where('attempts', '=', 0).orderBy"],
      test: [processesTest, 'a mail survives kill -9 between the response and its sending'],
    },
    'a process locks more mails than it sends at once': {
      change: [sender, 'const batchSize = maxConnections;', 'const batchSize = 20;'],
      test: [severalSendersTest, 'a slow mail server gets each mail once'],
    },
    'a process settles a mail that another one has sent since': {
      change: [outbox, ".where('attempts', '=', attempts)", ''],
      test: [severalSendersTest, 'is settled by the last process that took it'],
    },
    'codes are mailed after they have expired': {
      change: [sender, "if (giveUpAt <= now()) return settle(due, 'abandoned', null);", ''],
      test: [faultsTest, 'withstands mail-down'],
    },
  },
  28: {
    'a PostgreSQL that crashed does not hand over': {
      change: ['deploy/cluster/patroni.yml', 'primary_start_timeout: 0', 'primary_start_timeout: 300'],
      test: [faultsTest, 'withstands cluster'],
    },
    'the address of the primary leads to standbys too': {
      change: ['deploy/cluster/haproxy.cfg', 'OPTIONS /primary', 'OPTIONS /health'],
      test: [faultsTest, 'withstands cluster'],
    },
    'a connection that PostgreSQL has ended causes a 500': {
      change: [postgresErrors, '/^(08|28|3D|53|57|58|25006$)/', '/^(08|28|3D|53|58|25006$)/'],
      test: [faultsTest, 'withstands postgres-down'],
    },
    'errors of connections in use are not handled, and the process ends': {
      change: [openPostgres, "pool.on('connect', (client) => client.on('error', () => {}));", ''],
      test: [faultsTest, 'withstands postgres-down'],
    },
    'the connection that reads announcements is not opened again': {
      change: [announcements, 'if (this.#isFailing) end(reconnectMs);', 'if (this.#isFailing) return;'],
      test: [faultsTest, 'withstands postgres-down'],
    },
    'responses are cached while announcements cannot be read': {
      change: [announcements, 'performance.now() - this.#last.begunAt < patienceMs', 'this.#last.begunAt > 0'],
      test: [changesTest, 'are known to be missing when PostgreSQL does not answer'],
    },
    'a pooler that shares connections is not refused': {
      change: ['server/db/postgres/own-sessions.ts', 'if (isOwn) return;', 'if (served.length > 0) return;'],
      test: [faultsTest, 'withstands pooler'],
    },
    'connections set parameters that a pooler refuses': {
      change: [openPostgres, 'keepAlive: true,', "keepAlive: true, options: '-c jit=off',"],
      test: [faultsTest, 'withstands pooler'],
    },
    'announcements that may have been removed unread are not noticed': {
      change: [announcements, '> this.#keptMs / 2;', '> this.#keptMs * 1_000;'],
      test: [changesTest, 'are reported as everything after a pause'],
    },
    'a commit whose outcome was unknown is not announced': {
      change: [announcements, '    this.#origin = randomUUID();\n', ''],
      test: [changesTest, 'are reported also when the outcome of a commit is known only later'],
    },
    'open event streams are not reset when changes were lost': {
      change: ['server/live/broadcast.ts', 'return isSameLog ? rows : undefined;', 'return isSameLog ? rows : rows;'],
      test: [faultsTest, 'withstands postgres-down'],
    },
    'a transaction is reported as failed without the error of the query that was sent': {
      change: [pipelinedPool, "if (text === 'commit' && command === 'ROLLBACK') throw this.#failure;", ''],
      test: [transactionsTest, 'fail with the error of a query that was sent and not awaited'],
    },
    'queries run without a transaction when it cannot begin': {
      change: [
        pipelinedPool,
        'return await queryFirst(this.#client, query);',
        "return await Promise.all([this.#client.query('begin'), this.#client.query(query)]).then((of) => of[1]);",
      ],
      test: [transactionsTest, 'run no query when they cannot begin'],
    },
    'queries of a transaction that has ended run outside of it': {
      change: [pipelinedPool, "if (this.#transaction === 'ended') throw new Error('The transaction has ended');", ''],
      test: [transactionsTest, 'accept no query after their end'],
    },
    'a transaction that was aborted by a deadlock is not repeated': {
      change: [postgresErrors, "new Set(['40001', '40P01'])", "new Set(['nothing'])"],
      test: ['server/db/transactions.test.ts', 'both succeed after a deadlock'],
    },
  },
  29: {
    'each process has its own budgets': {
      change: [budgets, 'await lockHits(db, { key,', 'await lockHits(db, { key: `${key} ${process.pid}`,'],
      test: [postsProcessesTest, 'the budget of five posts a minute holds for both together'],
    },
    'each process has its own idempotency keys': {
      change: ['server/features/posts/writing-routes.ts', '`${userId} ${key}`', '`${userId} ${key} ${process.pid}`'],
      test: [postsProcessesTest, 'an idempotency key sent to both writes once'],
    },
    'only the process that created a code accepts it': {
      change: ['server/secrets.ts', "hkdfSync('sha256', secret, ''", "hkdfSync('sha256', secret, String(process.pid)"],
      test: [processesTest, 'a code requested at one process works once at the other'],
    },
    'a mail is sent though another process has locked it': {
      change: [outbox, '// Another process may have locked some of them since.\n      .where(isDue)', ''],
      test: ['server/mail/outbox.test.ts', 'locks each mail for one of several processes'],
    },
    'other processes are not told of writes': {
      change: [
        openPostgres,
        'if (touched.length > 0) {\n          announced',
        'if (touched.length > 99) {\n          announced',
      ],
      test: ['server/live/events-postgres.test.ts', 'one process reports the writes of another'],
    },
    'a process answers a writer before it has been told of the write': {
      change: [ownWrites, 'isBehind(request.raw) ? db.catchUp() : undefined', 'undefined'],
      test: [ownWritesTest, 'what a browser has written through one process it reads through the other'],
    },
    'a cached response is sent to a writer whose write it lacks': {
      change: ['server/http/fast-path.ts', ' || this.#options.isBehind(request)', ''],
      test: [ownWritesTest, 'what a browser has written through one process it reads through the other'],
    },
    'announcements below the newest are missed': {
      change: [
        'server/db/postgres/transaction-order.ts',
        'where position >= pg_snapshot_xmin($1::pg_snapshot) and',
        'where position >= pg_snapshot_xmax($1::pg_snapshot) and',
      ],
      test: [changesTest, 'are each reported once, though a transaction that began before them ends after them'],
    },
    'announcements are never removed': {
      change: [announcements, 'begunAt < this.#keptMs) return;', 'begunAt < Infinity) return;'],
      test: [changesTest, 'are removed when they could be read long enough'],
    },
  },
  30: {
    'idle connections of a proxy are closed at once': {
      change: ['server/http/connections.ts', 'server.closeIdleConnections = () => {};', ''],
      test: ['server/main.test.ts', 'responds to a further request on an open connection'],
    },
  },
  131: {
    'each refused write is logged during an outage': {
      change: [writeOutage, 'else if (!db.writes.areFailing) log.warn', 'else log.warn'],
      test: [outageTest, 'one line begins the outage'],
    },
    'an outage never ends': {
      change: [writeOutage, '    this.#outage = undefined;\n', ''],
      test: [outageTest, 'one line begins the outage'],
    },
    'a job that cannot be locked is no sign of an outage': {
      change: ['server/ops/jobs/job-runner.ts', '      db.writes.note(error);\n', ''],
      test: [outageTest, 'although nobody writes'],
    },
    'jobs are not reported as failing while nothing can be written': {
      change: [
        'server/ops/metrics/wall-metrics.ts',
        'db.writes.areFailing ? undefined : await countFailingJobs(db.read)',
        'await countFailingJobs(db.read)',
      ],
      test: [outageTest, 'one line begins the outage'],
    },
  },
  57: {
    'two processes lock the same job': {
      change: [jobQueue, '      // Another process may have locked some of them since.\n      .where(isDue)\n', ''],
      test: [jobTest, 'locks each job for one of several processes'],
    },
    'a job stays locked after a crash': {
      change: [jobQueue, "        eb('locked_until', '<=', now),\n", ''],
      test: [jobTest, 'runs a job again when the process that had locked it crashed'],
    },
    'a run that has lost its lock still writes': {
      change: [jobQueue, '  if (!renewed) throw', '  if (!renewed && now < 0) throw'],
      test: [jobTest, 'commits nothing of a run that has lost its lock'],
    },
    'a failing job is repeated without growing pauses': {
      change: [jobQueue, 'firstPauseSeconds * 2 ** job.failures', 'firstPauseSeconds'],
      test: [jobTest, 'repeats a failing job after growing pauses and reports it'],
    },
  },
  113: {
    'a response that a standby made is not checked for writes that it lacks': {
      change: [
        responseCache,
        'return isValid ? { built, validAt, readAt } : undefined;',
        'return { built, validAt, readAt };',
      ],
      test: [replicasTest, 'show every write at once, however far the standbys are behind'],
    },
    'what a standby does not find is missing': {
      change: [responseCache, 'error instanceof ApiError && this.#hasAll(validAt)', 'error instanceof ApiError'],
      test: [replicasTest, 'show every write at once, however far the standbys are behind'],
    },
    'reads wait for a standby that hangs': {
      change: [
        standby,
        `    for (const abandon of this.#abandon) abandon(new StorageUnavailable(\`The standby \${this.name} does not answer\`));
    // It would wait for answers that may never come.
    for (const client of this.#clients) cut(client);
`,
        '',
      ],
      test: [replicasTest, 'do not fail when a standby is killed or hangs, and it comes back'],
    },
    'what is in memory is not given while the primary is away': {
      change: [responseCache, 'if (entry && this.#written.onlyAddedTo(entry)) return entry.response;', ''],
      test: [replicasTest, 'are given while the primary is away, but never after a write that followed'],
    },
    'standbys are not used while the primary is away': {
      change: [
        responseCache,
        'const built = await replica?.run(make).catch(() => undefined);',
        'const built = undefined as BuiltResponse<Kind> | undefined;',
      ],
      test: [replicasTest, 'are given while the primary is away, but never after a write that followed'],
    },
    'what was outdated before it was cached is not kept for a primary that goes away': {
      change: [
        responseCache,
        'if (!this.#isValid(entry) && !this.#written.onlyAddedTo(entry)) return;',
        'if (!this.#isValid(entry)) return;',
      ],
      test: [replicasTest, 'are given while the primary is away, but never after a write that followed'],
    },
    'a standby that follows the next primary is not used before the wall reaches that': {
      change: [standby, 'isPrimaryAway ? this.#positions.leadTo(state) : ', ''],
      test: [replicasTest, 'are given while the primary is away, but never after a write that followed'],
    },
    'a standby that receives nothing is taken for one of an earlier timeline': {
      change: [standby, 'if (started === state.started && timeline > state.timeline) state.timeline = timeline;', ''],
      test: [replicasTest, 'are given while the primary is away, but never after a write that followed'],
    },
    'a read that nothing else can answer does not wait for the next primary': {
      change: [responseCache, 'const patienceMs = 9_000;', 'const patienceMs = 0;'],
      test: [replicasTest, 'are given while the primary is away, but never after a write that followed'],
    },
  },
});
