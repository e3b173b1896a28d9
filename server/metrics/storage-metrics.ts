import type { PostgresVitals, SqliteVitals, Vitals } from '../db/database.ts';
import { counter, gauge, type Metric } from './metric.ts';

export function storageMetrics(vitals: Vitals): Metric[] {
  return vitals.engine === 'sqlite' ? sqliteMetrics(vitals) : postgresMetrics(vitals);
}

const sqliteMetrics = ({ commits, transactions, syncs, syncSeconds }: SqliteVitals): Metric[] => [
  counter('stena_sqlite_commits_total', 'Commits; each may hold the transactions of many.', commits),
  counter('stena_sqlite_transactions_total', 'Transactions in these commits.', transactions),
  counter('stena_sqlite_syncs_total', 'Times the disk was asked to keep the log.', syncs),
  counter('stena_sqlite_sync_seconds_total', 'How long the disk took for that.', syncSeconds),
];

const postgresMetrics = ({ connections, idle, waiting, repeats, listening }: PostgresVitals): Metric[] => [
  gauge('stena_postgres_connections', 'Connections of the pool.', connections),
  gauge('stena_postgres_idle_connections', 'Those of them that nobody uses.', idle),
  gauge('stena_postgres_waiting', 'Queries and transactions that wait for a connection.', waiting),
  counter('stena_postgres_repeats_total', 'Transactions repeated after they had lost against another.', repeats),
  gauge('stena_postgres_listening', '1 while writes of other processes are heard of.', Number(listening)),
];
