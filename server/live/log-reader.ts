import type { Kysely } from 'kysely';
import type { Tx } from '../db/database.ts';
import { schedule } from '../db/job-queue.ts';
import type { Schema } from '../db/schema.ts';
import { type ChangeRow, changesFrom, latestPosition, reachesBackTo } from './change-log.ts';

/** The progress of a job that reads the change log. It is the payload of the job's next run, stored in the transaction of each step. */
interface Progress {
  /** In the change log. */
  position: number;
  /** The posts below this id are still to be looked at. */
  unseenBelow: number;
}

/** Above the ids of all posts. */
export const top = Number.MAX_SAFE_INTEGER;

/** Changes per transaction. Most are about few posts. */
const changesAtOnce = 300;

export interface LogRun {
  payload: unknown;
  now: number;
  signal: AbortSignal;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

interface LogReader {
  name: string;
  everySeconds: number;
  /** Looks at a batch of the posts below an id, the newest first; resolves to the id where the next batch begins, 0 after the last. */
  lookBack(tx: Tx, below: number): Promise<number>;
  apply(tx: Tx, rows: readonly ChangeRow[]): Promise<void>;
}

/**
 * Gives a job the changes since its last run, or all posts if the log does not reach back to that run. Each step is a transaction
 * that also stores the progress, so that a run continues where the last one was interrupted.
 */
export async function readLog(
  read: Kysely<Schema>,
  { payload, now, signal, tx }: LogRun,
  { name, everySeconds, lookBack, apply }: LogReader,
): Promise<void> {
  const newest = await latestPosition(read);
  let progress = payload as Progress | null;
  if (progress === null || !(await isLogged(read, progress))) progress = { position: newest, unseenBelow: top };
  const goOn = (step: (opened: Tx, from: Progress) => Promise<Progress>): Promise<Progress> => {
    signal.throwIfAborted();
    const from = progress!;
    return tx(async (opened) => {
      const to = await step(opened, from);
      await schedule(opened, { name, at: now + everySeconds, payload: to });
      return to;
    });
  };
  while (progress.unseenBelow > 0) {
    progress = await goOn(async (opened, from) => ({
      ...from,
      unseenBelow: await lookBack(opened, from.unseenBelow),
    }));
  }
  while (progress.position < newest) {
    const { position } = progress;
    progress = await goOn(async (opened, from) => {
      const { rows, upTo } = await changesFrom(opened.db, from.position, changesAtOnce);
      await apply(opened, rows);
      return { ...from, position: upTo };
    });
    // Without progress there is nothing to apply any more: the log has been cleared up since `newest` was read.
    if (progress.position === position) break;
  }
}

/** Whether the log has all changes after this position. On SQLite the log begins empty, and its first position is 1. */
async function isLogged(db: Kysely<Schema>, { position }: Progress): Promise<boolean> {
  const newest = await latestPosition(db);
  return position === newest || (position < newest && (await reachesBackTo(db, position + 1)));
}

/** The changes that a job has not read yet; undefined while it has not looked at all posts. */
export async function unreadChanges(db: Kysely<Schema>, name: string): Promise<ChangeRow[] | undefined> {
  const job = await db.selectFrom('jobs').select('payload').where('name', '=', name).executeTakeFirst();
  const progress = JSON.parse(job?.payload ?? 'null') as Progress | null;
  if (progress === null || progress.unseenBelow > 0 || !(await isLogged(db, progress))) return undefined;
  const found: ChangeRow[] = [];
  for (let { position } = progress; ;) {
    const { rows, upTo } = await changesFrom(db, position, changesAtOnce);
    found.push(...rows);
    if (upTo === position) return found;
    position = upTo;
  }
}

/**
 * Makes a job look at all posts again, after posts were written that are not in the log. A run that is under way loses its
 * lock, because its progress would replace this new start.
 */
export async function startAnew({ db }: Tx, name: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ payload: 'null', run_at: 0, locked_by: null, locked_until: null })
    .where('name', '=', name)
    .execute();
}
