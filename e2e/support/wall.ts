import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAdmin } from '../../test/admin-process.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { type Seed, seedOf } from './seed.ts';
import { type Settings, startServer } from './server-process.ts';

export interface Wall {
  url: string;
  /** Writes beside the running server, which notices within a moment. */
  seed: Seed;
  /** An operator's command, beside the running server; resolves to what it prints. */
  admin(...args: string[]): Promise<string>;
  /** Every row of what people own or have begun, to see whether anything has changed. */
  rows(): Promise<string>;
  /** The server dies and another takes its place, at the same address. */
  restart(whileDown?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A wall of its own in a new folder, with the real server over it. It is empty. */
export async function openWall(settings: Settings): Promise<Wall> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-e2e-'));
  const db = await openDatabase({ databaseUrl: undefined, dataDir }, () => {});
  let server = await startServer(dataDir, settings);
  const { url } = server;
  return {
    url,
    seed: seedOf(db),
    async admin(...args) {
      const { code, output, errors } = await runAdmin({ databaseUrl: undefined, dataDir }, ...args);
      if (code !== 0) throw new Error(errors);
      return output;
    },
    async rows() {
      const tables = ['users', 'posts', 'likes', 'operations', 'sessions', 'known_devices'] as const;
      const reading = tables.map((table) => db.read.selectFrom(table).selectAll().execute());
      return JSON.stringify(await Promise.all(reading));
    },
    async restart(whileDown = async () => {}) {
      await server.stop();
      await whileDown();
      server = await startServer(dataDir, { ...settings, PORT: new URL(url).port });
    },
    async close() {
      await server.stop();
      await db.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
