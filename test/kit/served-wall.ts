import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '../../server/features/account/store.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { createPost } from '../../server/features/posts/writes.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { issueToken } from '../../server/features/sessions/rules.ts';
import { openSession } from '../../server/features/sessions/store.ts';
import { runAdmin } from './command-process.ts';
import { type Engine, freshPlace } from './engines.ts';
import { startServer } from './server-process.ts';

const seenWithinMs = 1_000;
const SECRET = 'one secret for all the processes of a test';
export const now = (): number => Math.floor(Date.now() / 1_000);
/** Control and direction characters, except the line feeds of the commands’ own output. */
export const unruly = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A running server, the operators’ commands, and another connection to the same database for test data. */
export interface ServedWall {
  db: Database;
  address: string;
  /** Runs a command that must succeed; returns its output. */
  done(...args: string[]): Promise<string>;
  /** The same with output for scripts. */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** Runs a command that must fail; returns the only line of its error. */
  refused(...args: string[]): Promise<string>;
  person(username: string): Promise<number>;
  post(userId: number, text: string): Promise<number>;
  /** A bearer header for a new session. */
  signIn(userId: number): Promise<{ authorization: string }>;
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Milliseconds until the server shows the change; fails after a second. */
  seen(holds: () => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

export async function serveWall(engine: Engine): Promise<ServedWall> {
  const fresh = await freshPlace(engine);
  const server = await startServer(fresh.place, { SECRET, LOG_LEVEL: 'error' });
  const db = await openDatabase(fresh.place, () => {});

  async function done(...args: string[]): Promise<string> {
    const { code, output, errors } = await runAdmin(fresh.place, ...args);
    assert.deepEqual([code, errors], [0, ''], args.join(' '));
    return output;
  }

  return {
    db,
    address: server.address,
    done,
    json: async (...args) => JSON.parse(await done(...args, '--json')),
    async refused(...args) {
      const { code, output, errors } = await runAdmin(fresh.place, ...args);
      assert.deepEqual([code, output], [1, ''], args.join(' '));
      assert.match(errors, /^[^\n]+\n$/, args.join(' '));
      assert.doesNotMatch(errors, unruly);
      return errors;
    },
    person: (username) => db.tx((tx) => createUser(tx, { username, email: `${username}@example.org`, now: now() })),
    post: (userId, text) => db.tx((tx) => createPost(tx, { userId, text, now: now() })),
    async signIn(userId) {
      const session = { userId, cookieHash: `of ${userId}`, clientToken: 'a', device: '{}', now: now() };
      const id = await db.tx((tx) => openSession(tx, session));
      return { authorization: `Bearer ${issueToken(makeSecrets(SECRET), id, now() + 600).token}` };
    },
    ask: (path, headers = {}) => fetch(`${server.address}${path}`, { headers }),
    async seen(holds) {
      const began = performance.now();
      while (!(await holds())) {
        assert.ok(performance.now() - began < seenWithinMs, 'timed out');
        await sleep(10);
      }
      return Math.round(performance.now() - began);
    },
    async close() {
      await db.close();
      await server.stop();
      await fresh.remove();
    },
  };
}
