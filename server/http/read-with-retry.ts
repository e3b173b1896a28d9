import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, StorageUnavailable } from '../db/database.ts';

/** A read that takes longer may wait for a storage that has stopped responding. */
const patienceMs = 500;
const againMs = 100;

const away = (): StorageUnavailable => new StorageUnavailable('The storage does not respond');

/**
 * Reads from the storage, once more when that fails and the storage is back. Rejects with StorageUnavailable only when a later
 * question for foreign writes fails too.
 */
export async function readWithRetry<T>(
  db: Pick<Database, 'engine' | 'receivesForeignWrites' | 'catchUp'>,
  read: () => Promise<T>,
): Promise<T> {
  // SQLite runs in this process and always responds.
  if (db.engine === 'sqlite') return read();
  if (!db.receivesForeignWrites && !(await db.catchUp())) throw away();
  try {
    return await unlessSilent(db, read());
  } catch (error) {
    if (!(error instanceof StorageUnavailable) || !(await db.catchUp())) throw error;
    return await unlessSilent(db, read());
  }
}

/** Reads from the storage, or from `elsewhere` while it is away, and tries again until `withinMs` has passed. */
export async function withPatience<T>(
  db: Pick<Database, 'engine' | 'receivesForeignWrites' | 'catchUp'>,
  withinMs: number,
  read: () => Promise<T>,
  elsewhere: () => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(away()), withinMs);
  let isOver = false;
  const orElse =
    <Else>(other: () => Promise<Else>) =>
    (error: unknown): Promise<Else> => {
      if (error instanceof StorageUnavailable && !isOver) return other();
      throw error;
    };
  const again = async (): Promise<T> => {
    await sleep(againMs);
    return readWithRetry(db, read).catch(orElse(elsewhere)).catch(orElse(again));
  };
  try {
    return await Promise.race([read().catch(orElse(() => late)), again(), late]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

async function unlessSilent<T>(db: Pick<Database, 'catchUp'>, reading: Promise<T>): Promise<T> {
  const { promise: silent, reject } = Promise.withResolvers<never>();
  const watch = setInterval(() => {
    db.catchUp().then((isReachable) => isReachable || reject(away()), reject);
  }, patienceMs);
  try {
    return await Promise.race([reading, silent]);
  } finally {
    clearInterval(watch);
  }
}
