import { DatabaseSync } from 'node:sqlite';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { isBusy, isFull } from './sqlite-errors.ts';

// Copies the WAL of each database into its file. It runs in a worker thread because it blocks on disk I/O.
parentPort!.on('message', ({ file, port }: { file: string; port: MessagePort }) => {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  database.exec('pragma synchronous = normal');
  port.on('message', (request: 'checkpoint' | 'close') => {
    if (request === 'checkpoint') {
      port.postMessage(checkpoint(database));
      return;
    }
    database.close();
    port.close();
  });
});

/**
 * Uses passive mode, which does not wait for readers such as a long backup. The modes that truncate the WAL would also
 * change `data_version` and look like a write by another process.
 */
function checkpoint(database: DatabaseSync): Error | undefined {
  try {
    database.exec('pragma wal_checkpoint(passive)');
    return undefined;
  } catch (error) {
    // Pages that could not be copied stay in the WAL until the next checkpoint.
    return isBusy(error) || isFull(error) ? undefined : (error as Error);
  }
}
