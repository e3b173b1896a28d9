import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isBusy, isFull } from './sqlite-errors.ts';

// Copies the WAL into the database file on a thread of its own, because it waits for the disk.
const database = new DatabaseSync(workerData as string, { timeout: 1_000 });
database.exec('pragma synchronous = normal');

parentPort!.on('message', (request: 'checkpoint' | 'close') => {
  if (request === 'checkpoint') {
    parentPort!.postMessage(checkpoint());
    return;
  }
  database.close();
  parentPort!.close();
});

/**
 * Passive: it waits for no reader, be it a long backup. The modes that cut the WAL off would also look like somebody
 * else's write to those who watch `data_version`.
 */
function checkpoint(): Error | undefined {
  try {
    database.exec('pragma wal_checkpoint(passive)');
    return undefined;
  } catch (error) {
    // What could not be copied stays in the WAL, and the next checkpoint tries again.
    return isBusy(error) || isFull(error) ? undefined : (error as Error);
  }
}
