import { fillWall } from '../../../demo/fill.ts';
import type { Database } from '../../../server/db/database.ts';
import { admin } from '../../kit/admin.ts';
import { openFresh } from '../../kit/engines.ts';
import { runJobs } from '../../kit/run-jobs.ts';
import { startLocalServer } from '../../kit/app.ts';
import { type Seed, seedOf } from '../../kit/seed.ts';

/** Environment variables of the server. */
export type Settings = Record<string, string>;

export interface Wall {
  url: string;
  /** Writes directly to the database. */
  seed: Seed;
  /** Fills the wall with this many posts of the demo. */
  demo(posts: number): Promise<unknown>;
  /** Runs an operator’s command; resolves to its output. */
  admin(...args: string[]): Promise<string>;
  /** All rows of accounts, posts and sign-ins, to detect any change. */
  rows(): Promise<string>;
  /** Breaks all connections and starts another server at the same address, with these settings if given. */
  restart(change?: (() => Promise<unknown>) | Settings): Promise<void>;
  close(): Promise<void>;
}

/** Browser tests read and sign in more often than the limits for one address allow. */
const defaults = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

/** An empty wall behind the real server. */
export async function openWall(settings: Settings): Promise<Wall> {
  const { db, close } = await openFresh('sqlite');
  const start = (own: Settings = {}) => startLocalServer(db, { ...defaults, ...settings, ...own });
  let server = await start();
  const url = server.address;
  return {
    url,
    seed: seedOf(db),
    async demo(posts) {
      const until = Math.floor(Date.now() / 1_000);
      await fillWall(db, { posts, until, seed: 2_026 }, () => {});
      await runJobs(db, until + 61);
    },
    admin: (...args) => admin(db, ...args),
    rows: () => rowsOf(db),
    async restart(change = {}) {
      await server.stop();
      if (typeof change === 'function') await change();
      const { port } = new URL(url);
      server = await start(typeof change === 'function' ? { PORT: port } : { ...change, PORT: port });
    },
    async close() {
      await server.stop();
      await close();
    },
  };
}

async function rowsOf({ read }: Database): Promise<string> {
  const tables = ['users', 'posts', 'likes', 'operations', 'sessions', 'program_tokens', 'known_devices'] as const;
  return JSON.stringify(await Promise.all(tables.map((table) => read.selectFrom(table).selectAll().execute())));
}
