import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { sqliteFile } from '../../server/db/open-database.ts';
import type { Place } from './engines.ts';
import { runJobs } from './run-jobs.ts';
import type { Wall } from './wall.ts';

/** Whether the files of SQLite contain a text, in rows or elsewhere. */
export async function isInFiles({ dataDir }: Place, text: string): Promise<boolean> {
  const file = sqliteFile(dataDir);
  const contents = await Promise.all([file, `${file}-wal`].map((path) => readFile(path)));
  return contents.some((bytes) => bytes.includes(text));
}

/** Runs the jobs of a server until the text has left the files; false when it stays. */
export async function leavesFiles(
  { db, clock }: Pick<Wall, 'db' | 'clock'>,
  place: Place,
  text: string,
): Promise<boolean> {
  await runJobs(db, clock.now);
  for (let i = 0; i < 100 && (await isInFiles(place, text)); i += 1) {
    await pause(100);
    // Any write, as those of the jobs of a server.
    await runJobs(db, (clock.now += 61));
  }
  return !(await isInFiles(place, text));
}
