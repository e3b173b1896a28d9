import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../test/server-process.ts';

/** The exit status of a server that is about to end; null when it does not within so long. Then it is made to. */
export async function endsWithin(server: ServerProcess, ms: number): Promise<number | null> {
  const code = await Promise.race([server.ended, sleep(ms, null, { ref: false })]);
  await server.stop('SIGKILL');
  return code;
}
