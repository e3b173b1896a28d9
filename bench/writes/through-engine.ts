import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../server/db/database.ts';
import { prepared } from '../../server/db/prepared.ts';
import { listFeed } from '../../server/posts/store.ts';
import { newWall } from './new-wall.ts';

const clients = 64;
const readEveryMs = 5;

interface Writes {
  perSecond: number;
  writesP99Ms: number;
  readsP99Ms: number;
}

/** The same row, written by many at once through the server's engine, and the feed read beside them all the while. */
export async function writeThroughEngine(file: string, seconds: number): Promise<Writes> {
  const { db, author } = await newWall(file);
  const writes = createHistogram();
  const reads = createHistogram();
  const begun = performance.now();
  const until = begun + seconds * 1_000;
  await Promise.all([
    ...Array.from({ length: clients }, () => keepWriting(db, author, writes, until)),
    keepReading(db, reads, until),
  ]);
  const tookMs = performance.now() - begun;
  await db.close();
  return {
    perSecond: (writes.count / tookMs) * 1_000,
    writesP99Ms: writes.percentile(99) / 1_000,
    readsP99Ms: reads.percentile(99) / 1_000,
  };
}

const insert = prepared<{ author: number; text: string; now: number }, never>((db, slot) =>
  db.insertInto('posts').values({ user_id: slot('author'), text: slot('text'), created_at: slot('now') }),
);

async function keepWriting(db: Database, author: number, took: RecordableHistogram, until: number): Promise<void> {
  for (let now = performance.now(); now < until;) {
    const row = { author, text: `Запись ${took.count}`, now: took.count };
    await db.tx((tx) => insert(tx.db, row));
    const answered = performance.now();
    took.record(microseconds(answered - now));
    now = answered;
  }
}

/** Timed from when a read was due, not from when the writers let it begin. */
async function keepReading(db: Database, took: RecordableHistogram, until: number): Promise<void> {
  for (let due = performance.now() + readEveryMs; due < until; due += readEveryMs) {
    await sleep(Math.max(0, due - performance.now()));
    await listFeed(db.read, { page: 1 }, 10);
    took.record(microseconds(performance.now() - due));
  }
}

const microseconds = (ms: number): number => Math.max(1, Math.round(ms * 1_000));
