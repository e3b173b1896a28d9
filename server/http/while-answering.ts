import { type Database, StorageUnavailable } from '../db/database.ts';

/** A read that takes longer may wait for a storage that has stopped answering. */
const patienceMs = 500;
/** With nothing else to give, a storage that may only be slow is waited for. */
const lastPatienceMs = 5_000;

const away = (): StorageUnavailable => new StorageUnavailable('The storage does not answer');

/**
 * Reads from the storage. Rejects with StorageUnavailable only when the storage could not be asked for writes either, later
 * than the call; when it is back, reads once more.
 */
export async function whileAnswering<T>(
  db: Pick<Database, 'engine' | 'receivesForeignWrites' | 'catchUp'>,
  read: () => Promise<T>,
): Promise<T> {
  // It is in this process.
  if (db.engine === 'sqlite') return read();
  if (!db.receivesForeignWrites && !(await db.catchUp())) throw away();
  try {
    return await unlessSilent(db, read());
  } catch (error) {
    if (!(error instanceof StorageUnavailable) || !(await db.catchUp())) throw error;
    return read();
  }
}

/** Waits for a read that is the last resort. */
export async function lastResort<T>(reading: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(away()), lastPatienceMs);
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function unlessSilent<T>(db: Pick<Database, 'catchUp'>, reading: Promise<T>): Promise<T> {
  const { promise: silent, reject } = Promise.withResolvers<never>();
  const watch = setInterval(() => {
    db.catchUp().then((answers) => answers || reject(away()), reject);
  }, patienceMs);
  try {
    return await Promise.race([reading, silent]);
  } finally {
    clearInterval(watch);
  }
}
