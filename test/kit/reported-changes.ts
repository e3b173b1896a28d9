import assert from 'node:assert/strict';
import type { Tag, Tx } from '../../server/db/database.ts';
import { createUser } from './create-user.ts';

export type Received = readonly Tag[] | 'everything';

/** After a pause in which notices may have been removed, as on a busy machine, a process also reports everything. */
export const isNamed = (tags: Received): boolean => tags !== 'everything';

/** Each once and in this order. What a busy process has reported as everything it need not name. */
export function assertReported(received: readonly Received[], expected: readonly Tag[]): void {
  const named = received.filter((tags) => tags !== 'everything').flat();
  const isCovered = received.length > named.length;
  assert.deepEqual(named, isCovered ? expected.filter((tag) => named.includes(tag)) : expected);
}

/** Ten seconds, longer on a busy machine: PostgreSQL is another process. */
export const patience = 1_000;

export const addUser = (tx: Tx, username: string): Promise<number> =>
  createUser(tx, { username, email: `${username}@example.com`, now: 1 });
