import assert from 'node:assert/strict';
import type { Database } from '../../server/db/database.ts';
import { CommandError } from '../../server/commands/admin/terminal.ts';
import { createPost } from '../../server/features/posts/post-writes.ts';
import { admin } from './admin.ts';
import { type Engine, freshStorage, openStorage } from './engines.ts';
import { SECRET, startServer } from './server-process.ts';
import { newUser, now, signedIn } from './signed-in.ts';
import { pollWithin } from './polling.ts';

/** Control and direction characters, except the line feeds of the commands’ own output. */
export const unruly = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * A server in a separate process. The operators’ commands and the test data come from this process, over another connection to
 * the same database.
 */
export interface ServedWall {
  db: Database;
  address: string;
  /** Runs a command that must succeed; returns its output. */
  done(...args: string[]): Promise<string>;
  /** Runs a command that must succeed, with `--json`; returns the parsed output. */
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** Runs a command that must be refused; returns the only line of the reason. */
  refused(...args: string[]): Promise<string>;
  person(username: string): Promise<number>;
  post(userId: number, text: string): Promise<number>;
  /** A bearer header for a new session. */
  signIn(userId: number): Promise<{ authorization: string }>;
  ask(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Resolves when the server shows the change. Fails after a hundred attempts, a second on an idle machine. */
  seen(holds: () => Promise<boolean>): Promise<unknown>;
  close(): Promise<void>;
}

export async function serveWall(engine: Engine): Promise<ServedWall> {
  const fresh = await freshStorage(engine);
  const server = await startServer(fresh.storage, { SECRET, LOG_LEVEL: 'error' });
  const db = await openStorage(fresh.storage);

  const done = (...args: string[]): Promise<string> => admin(db, ...args);

  return {
    db,
    address: server.address,
    done,
    json: async (...args) => JSON.parse(await done(...args, '--json')),
    async refused(...args) {
      const reason = await admin(db, ...args).then(assert.fail, (error) => {
        assert.ok(error instanceof CommandError, `${args.join(' ')}: ${String(error)}`);
        return error.message;
      });
      assert.doesNotMatch(reason, unruly);
      assert.doesNotMatch(reason, /\n/);
      return reason;
    },
    person: (username) => newUser(db, username),
    post: (userId, text) => db.tx((tx) => createPost(tx, { userId, text, now: now() })),
    signIn: async (userId) => ({ authorization: `Bearer ${(await signedIn(db, userId)).token}` }),
    ask: (path, headers = {}) => fetch(`${server.address}${path}`, { headers }),
    seen: (holds) => pollWithin(100, async () => (await holds()) || undefined),
    async close() {
      await db.close();
      await server.stop();
      await fresh.remove();
    },
  };
}
