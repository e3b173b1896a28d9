import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { openPostgres } from '../../server/db/postgres/open-postgres.ts';
import { type Engine, migratedStorage, patientPostgres } from './engines.ts';
import { type EventReader, type ReceivedEvent, readEvents } from './event-reader.ts';
import { pollWithin } from './polling.ts';
import { openWall, type Wall, wallOver } from './wall.ts';

interface LiveWall extends Wall {
  url: string;
}

/** Makes a wall listen until the test ends. Returns the wall with the address of its events. */
export async function listening(t: TestContext, wall: Wall): Promise<LiveWall> {
  t.after(wall.close);
  await wall.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...wall, url: `http://127.0.0.1:${(wall.app.server.address() as AddressInfo).port}/api/v1/events` };
}

export const liveWall = async (t: TestContext, engine: Engine, settings: NodeJS.ProcessEnv = {}): Promise<LiveWall> =>
  listening(t, await openWall(engine, settings));

/**
 * Waits until all changes have their final positions. On PostgreSQL a change waits for older transactions on the same server,
 * including those of jobs and of other tests.
 */
export async function untilPositioned({ db }: Pick<Wall, 'db'>): Promise<void> {
  const count = async (table: 'changes' | 'visible_changes') =>
    (await db.read.selectFrom(table).select('position').execute()).length;
  await pollWithin(3_000, async () =>
    (await count('visible_changes')) === (await count('changes')) ? true : undefined,
  );
  await db.catchUp();
}

/** Opens two walls on one PostgreSQL, like two processes, until the test ends. `times` are the options of the second one. */
export async function twoProcesses(
  t: TestContext,
  times: { pollMs?: number } = {},
  settings: NodeJS.ProcessEnv = { RATE_LIMITS: 'off' },
): Promise<{ here: LiveWall; there: LiveWall }> {
  const { storage, remove } = await migratedStorage('postgres');
  const open = (own: typeof times) => openPostgres(storage.databaseUrl!, () => {}, { ...patientPostgres, ...own });
  const databases = [await open({}), await open(times)] as const;
  t.after(async () => {
    for (const db of databases) await db.close();
    await remove();
  });
  const here = await listening(t, await wallOver(databases[0], settings));
  const there = await listening(t, await wallOver(databases[1], settings));
  return { here, there };
}

/** An event stream that has received its first event. */
export async function reader(t: TestContext, url: string, headers?: Record<string, string>): Promise<EventReader> {
  const opened = await readEvents(url, headers);
  t.after(opened.close);
  await opened.until((received) => received.length > 0);
  return opened;
}

/** Ids of the new posts that were reported. */
export const postsIn = (received: ReceivedEvent[]): string[] =>
  received.flatMap(({ changes }) => changes.posts.map(({ id }) => id));
