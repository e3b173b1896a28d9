import type pg from 'pg';
import { StorageUnfit } from '../database.ts';
import { connect } from './connect.ts';

/** Longer than a pooler needs to open a connection, shorter than it lets a client wait for one. */
const answerPatienceMs = 5_000;
/**
 * Which of the two connections sends each query. The runs have different lengths: with a regular order, a pooler that uses its
 * connections in turn could give each client the same one every time.
 */
const turns = '0110001011011100101';

const advice = 'The wall needs sessions: set pool_mode = session, or leave the pooler out.';

/**
 * Refuses a pooler that lends a connection for one transaction or statement: prepared queries would be missing or be those of
 * others. Two connections that ask in turn must each be served by one process of its own.
 */
export async function refuseSharedSessions(url: string): Promise<void> {
  const served: [Set<number>, Set<number>] = [new Set(), new Set()];
  const one = await connect(url, answerPatienceMs);
  const other = await connect(url, answerPatienceMs);
  try {
    for (const turn of turns) {
      if (turn === '0') served[0].add(await backendOf(one));
      else served[1].add(await backendOf(other));
    }
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
  const isOwn = served[0].size === 1 && served[1].size === 1 && served[0].isDisjointFrom(served[1]);
  if (isOwn) return;
  throw new StorageUnfit(
    `DATABASE_URL: a pooler (pool_mode = transaction or statement) lends each connection to several clients. ${advice}`,
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
