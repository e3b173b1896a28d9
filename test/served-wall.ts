import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '../server/account/store.ts';
import type { Database } from '../server/db/database.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { createPost } from '../server/posts/writes.ts';
import { makeSecrets } from '../server/secrets.ts';
import { issueToken } from '../server/sessions/rules.ts';
import { openSession } from '../server/sessions/store.ts';
import { runAdmin } from './admin-process.ts';
import { type Engine, freshPlace } from './engines.ts';
import { startServer } from './server-process.ts';

const seenWithinMs = 1_000;
const SECRET = 'one secret for all the processes of a test';
export const now = (): number => Math.floor(Date.now() / 1_000);
/** Anything but the line breaks of ours. */
export const unruly = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A running server, operators' commands beside it, and the same database once more, to write what they find. */
export interface ServedWall {
  db: Database;
  address: string;
  /** What a command prints when it succeeds. */
  done(...args: string[]): Promise<string>;
  /** The same for scripts. */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** The one line that refuses a command. */
  refused(...args: string[]): Promise<string>;
  person(username: string): Promise<number>;
  post(userId: number, text: string): Promise<number>;
  /** A bearer header for somebody who has just signed in. */
  signIn(userId: number): Promise<{ authorization: string }>;
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  /** How many milliseconds it takes until the server shows it: a second at most. */
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
        assert.ok(performance.now() - began < seenWithinMs, 'not seen in time');
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
