import type pg from 'pg';
import { StorageUnfit } from '../database.ts';
import { connect } from './connect.ts';

/** Longer than a pooler needs to open a connection, shorter than it lets a client wait for one. */
const responseTimeoutMs = 5_000;

/**
 * Refuses a pooler that lends a connection for one transaction or statement: prepared queries would be missing or be those of
 * others. It lends either the connection returned last, which is the same for both clients, or the one returned first, which
 * is another one for the second query.
 */
export async function refuseSharedSessions(url: string): Promise<void> {
  const one = await connect(url, responseTimeoutMs);
  const other = await connect(url, responseTimeoutMs);
  try {
    const [first, second, again] = [await backendOf(one), await backendOf(other), await backendOf(other)];
    if (first !== second && second === again) return;
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
  throw new StorageUnfit(
    'DATABASE_URL: a pooler (pool_mode = transaction or statement) lends each connection to several clients. The wall needs sessions: set pool_mode = session, or leave the pooler out.',
  );
}

async function backendOf(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!.pid;
  } catch (error) {
    if ((error as Error).message !== 'Query read timeout') throw error;
    throw new StorageUnfit(
      'DATABASE_URL: a second connection gets no answer. A pooler must have at least 12 connections for each process.',
      { cause: error },
    );
  }
}
