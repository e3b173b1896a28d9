import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// Copies the WAL into the database file on a thread of its own, because it waits for the disk.
const database = new DatabaseSync(workerData as string, { timeout: 1_000 });
database.exec('pragma synchronous = normal');

parentPort!.on('message', (mode: 'passive' | 'truncate' | 'close') => {
  if (mode === 'close') {
    database.close();
    parentPort!.close();
    return;
  }
  database.exec(`pragma wal_checkpoint(${mode})`);
  parentPort!.postMessage('done');
});
