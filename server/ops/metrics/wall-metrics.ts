import type { Database, PostgresVitals, SqliteVitals, Vitals } from '../../db/database.ts';
import { ApiError } from '../../http/thrown-api-error.ts';
import type { ResponseCache } from '../../http/response-cache.ts';
import type { SecurityLog } from '../../http/security-log.ts';
import type { Broadcast } from '../../live/broadcast.ts';
import type { PushSender } from '../../features/notifications/push/push-sender.ts';
import type { MailSender } from '../../mail/sender.ts';
import type { CopyCheck } from '../backups.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { WallHealth } from '../wall-health.ts';
import { counter, gauge, type Metric, type Registry, type Sample } from './registry.ts';

type CacheCounts = Pick<ResponseCache, 'bytes' | 'entries' | 'hits' | 'misses'>;

interface Observed {
  db: Database;
  health: WallHealth;
  outbox: MailSender;
  pushes: Pick<PushSender, 'tally'>;
  jobs: JobRunner;
  broadcast: Broadcast;
  limitHits: LimitHits;
  security: Pick<SecurityLog, 'counts'>;
  /** By kind of response. */
  caches: Readonly<Record<string, CacheCounts>>;
}

/** Adds the metrics of every part of the server. */
export function observeWall(registry: Registry, observed: Observed): void {
  const { db, health, outbox, pushes, jobs, broadcast, limitHits, security, caches } = observed;
  registry.add(() => storageMetrics(db.vitals()));
  registry.add(() => {
    const { areFailing, failed } = health.writes();
    return [
      gauge(
        'stena_writes_failing',
        '1 from a write that the storage has refused until writes have succeeded again for half a minute.',
        Number(areFailing),
      ),
      counter('stena_failed_writes_total', 'Transactions that the storage has refused.', failed),
    ];
  });
  registry.add(async () => {
    const disk = await health.disk();
    if (!disk) return [];
    const { free, size } = disk;
    return [
      gauge('stena_disk_free_bytes', 'Free space of the disk with DATA_DIR.', free),
      gauge('stena_disk_size_bytes', 'Size of that disk.', size),
    ];
  });
  registry.add(async () => {
    const { state, held_until: heldUntil, today } = await health.mail();
    return [
      gauge(
        'stena_mail_refused',
        '1 while the mail server takes no letters, of all processes.',
        Number(state === 'refused'),
      ),
      gauge(
        'stena_mail_held',
        '1 after the mail server has spoken of limits or spam: for an hour only one code in ten minutes is sent.',
        Number(heldUntil !== null),
      ),
      ...(today
        ? [
            gauge('stena_mail_letters', 'Letters of the last 24 hours, of all processes.', today.letters),
            gauge('stena_mail_letters_limit', 'LETTERS_PER_DAY.', today.limit),
          ]
        : []),
    ];
  });
  registry.add(async () => {
    const { count, oldestSeconds } = await health.mailsWaiting();
    return [
      gauge('stena_outbox_waiting', 'Mails not yet accepted, refused or abandoned, of all processes.', count),
      gauge('stena_outbox_oldest_seconds', 'Age of the oldest waiting mail.', oldestSeconds),
    ];
  });
  registry.add(() => [
    counter('stena_mails_total', 'Attempts of this process to send a mail, by outcome.', byOutcome(outbox.tally)),
    counter(
      'stena_push_messages_total',
      'Attempts of this process to send a push message, by outcome.',
      byOutcome(pushes.tally),
    ),
  ]);
  registry.add(async () => [
    gauge(
      'stena_jobs_failing',
      'Jobs whose last run failed, by name, of all processes; 1 each while writes are failing.',
      (await health.jobsFailing()).map(({ name: job, count: value }) => ({ labels: { job }, value })),
    ),
  ]);
  registry.add(() => [
    counter(
      'stena_job_runs_total',
      'Runs of jobs in this process, by name and outcome.',
      [...jobs.runs].flatMap(([job, runs]) =>
        Object.entries(runs).map(([outcome, value]) => ({ labels: { job, outcome }, value })),
      ),
    ),
  ]);
  registry.add(async () => {
    const { last, check } = await health.copies();
    return [
      gauge(
        'stena_last_backup_timestamp_seconds',
        'Unix time when the last successful backup was begun; 0 before the first.',
        last,
      ),
      gauge(
        'stena_copy_check_timestamp_seconds',
        'Unix time of the last check of a backup; 0 before the first, and when the wall could not be restored from it completely.',
        goodCheck(check),
      ),
      gauge(
        'stena_wall_shrunk',
        '1 when the last backup that was checked has at most half of the people or posts of an earlier one that is kept.',
        Number(Boolean(check?.shrunk)),
      ),
    ];
  });
  registry.add(() => limitHits.metrics());
  registry.add(() => [
    counter(
      'stena_security_events_total',
      'Security events of accounts, by kind: sign-ins, wrong codes, limits hit, closed sessions, changes.',
      Object.entries(security.counts).map(([event, value]) => ({ labels: { event }, value })),
    ),
  ]);
  registry.add(() => [gauge('stena_event_streams', 'Open event streams.', broadcast.readers)]);
  registry.add(() => cacheMetrics(caches));
}

const byOutcome = (tally: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(tally).map(([outcome, value]) => ({ labels: { outcome }, value }));

const goodCheck = (check: CopyCheck | null): number =>
  check && check.failure === null && check.differences === 0 ? check.at : 0;

/** Counts how often each limit refused a request. */
export class LimitHits {
  #hits = new Map<string, number>();

  note(error: Error): void {
    if (!(error instanceof ApiError) || error.limit === undefined) return;
    this.#hits.set(error.limit, (this.#hits.get(error.limit) ?? 0) + 1);
  }

  metrics(): Metric[] {
    const samples = [...this.#hits].map(([limit, value]) => ({ labels: { limit }, value }));
    return [counter('stena_limits_hit_total', 'Requests refused with status 429 or 503, by limit.', samples)];
  }
}

function cacheMetrics(caches: Observed['caches']): Metric[] {
  const of = (count: keyof CacheCounts) =>
    Object.entries(caches).map(([cache, { [count]: value }]) => ({ labels: { cache }, value }));
  return [
    gauge('stena_cache_bytes', 'Size of the response cache.', of('bytes')),
    gauge('stena_cache_entries', 'Responses in the cache.', of('entries')),
    counter('stena_cache_hits_total', 'Requests whose response was in the cache.', of('hits')),
    counter('stena_cache_misses_total', 'Requests whose response was not in the cache.', of('misses')),
  ];
}

const storageMetrics = (vitals: Vitals): Metric[] =>
  vitals.engine === 'sqlite' ? sqliteMetrics(vitals) : postgresMetrics(vitals);

const sqliteMetrics = ({ commits, transactions, syncs, syncSeconds }: SqliteVitals): Metric[] => [
  counter('stena_sqlite_commits_total', 'Commits; one commit may hold several transactions.', commits),
  counter('stena_sqlite_transactions_total', 'Committed transactions.', transactions),
  counter('stena_sqlite_syncs_total', 'Syncs of the write-ahead log to the disk.', syncs),
  counter('stena_sqlite_sync_seconds_total', 'Time spent in these syncs.', syncSeconds),
];

const postgresMetrics = (vitals: PostgresVitals): Metric[] => {
  const { connections, idle, waiting, waitedSeconds, repeats, listening, replicas } = vitals;
  return [
    gauge('stena_postgres_connections', 'Connections in the pool.', connections),
    gauge('stena_postgres_idle_connections', 'Idle connections in the pool.', idle),
    gauge('stena_postgres_waiting', 'Queries and transactions waiting for a connection.', waiting),
    counter(
      'stena_postgres_wait_seconds_total',
      'Time that queries and transactions have waited for a connection.',
      waitedSeconds,
    ),
    counter(
      'stena_postgres_repeats_total',
      'Transactions repeated after a deadlock or serialization failure.',
      repeats,
    ),
    gauge(
      'stena_postgres_listening',
      '1 while the process reads the write notices of other processes.',
      Number(listening),
    ),
    gauge(
      'stena_postgres_replica_used',
      '1 while public responses are made from the replica.',
      replicas.map(({ name, isUsed }) => ({ labels: { replica: name }, value: Number(isUsed) })),
    ),
    gauge(
      'stena_postgres_replica_lag_seconds',
      'Age of what a replica in use shows.',
      replicas.flatMap(({ name, lagSeconds }) =>
        lagSeconds === undefined ? [] : { labels: { replica: name }, value: lagSeconds },
      ),
    ),
  ];
};
