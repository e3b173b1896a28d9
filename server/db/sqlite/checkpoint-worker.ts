import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isBusy, isFull } from './sqlite-errors.ts';

// Copies the WAL into the database file. It runs in a worker thread because it blocks on disk I/O.
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
 * Uses passive mode, which does not wait for readers such as a long backup. The modes that truncate the WAL would also
 * change `data_version` and look like a write by another process.
 */
function checkpoint(): Error | undefined {
  try {
    database.exec('pragma wal_checkpoint(passive)');
    return undefined;
  } catch (error) {
    // Pages that could not be copied stay in the WAL until the next checkpoint.
    return isBusy(error) || isFull(error) ? undefined : (error as Error);
  }
}
