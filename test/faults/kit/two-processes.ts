import type { Person } from '../../figures/people.ts';
import type { Place } from '../../kit/engines.ts';
import { SECRET, startServer } from '../../kit/server-process.ts';
import { BusyWall } from './busy-wall.ts';

/** Starts two processes of a wall; resolves when people write through both. `cleanup` ends the processes. */
export async function twoBusyProcesses(
  cleanup: AsyncDisposableStack,
  place: Place,
  people: readonly Person[],
): Promise<{ addresses: string[]; wall: BusyWall }> {
  const settings = { SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };
  const servers = await Promise.all([startServer(place, settings), startServer(place, settings)]);
  for (const server of servers) cleanup.use(server);
  const addresses = servers.map(({ address }) => address);
  const wall = new BusyWall(addresses, people);
  await wall.busy();
  return { addresses, wall };
}
