import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** A query for a thread of its own, as SQL with its parameters. */
export interface LongQuery {
  file: string;
  text: string;
  parameters: readonly SQLInputValue[];
}

const { file, text, parameters } = workerData as LongQuery;
const database = new DatabaseSync(file, { timeout: 1_000, readOnly: true });
parentPort!.postMessage(database.prepare(text).all(...parameters));
database.close();
