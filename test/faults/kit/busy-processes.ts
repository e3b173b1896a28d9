import type { Person } from '../../measurements/people.ts';
import type { Place } from '../../kit/engines.ts';
import { SECRET, type ServerProcess, startServer } from '../../kit/server-process.ts';
import { BusyWall } from './busy-wall.ts';

export const quietly = { SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };

/** Starts processes of a wall, each with its settings. `cleanup` ends them. */
export async function startProcesses(
  cleanup: AsyncDisposableStack,
  place: Place,
  settings: readonly NodeJS.ProcessEnv[],
): Promise<{ servers: ServerProcess[]; addresses: string[] }> {
  const servers = await Promise.all(settings.map((own) => startServer(place, { ...quietly, ...own })));
  for (const server of servers) cleanup.use(server);
  return { servers, addresses: servers.map(({ address }) => address) };
}

/** Starts two processes of a wall; resolves when people write through both. */
export async function twoBusyProcesses(
  cleanup: AsyncDisposableStack,
  place: Place,
  people: readonly Person[],
): Promise<{ addresses: string[]; wall: BusyWall }> {
  const { addresses } = await startProcesses(cleanup, place, [{}, {}]);
  const wall = new BusyWall(addresses, people);
  await wall.busy();
  return { addresses, wall };
}
