import type { ServerProcess } from '../servers/server-process.ts';
import { median } from '../statistics.ts';
import type { RequestSource } from './requests.ts';
import { runLoad } from './run-load.ts';

const rounds = 5;
const connections = 64;
const warmUpSeconds = 2;

export interface Side {
  server: ServerProcess;
  requests: RequestSource;
}

/** The median round of one side. */
export interface Standing {
  perSecond: number;
  p99Ms: number;
  /** The server's own time for a request: it says the same on a busy machine, where the rate does not. */
  cpuMicroseconds: number;
}

/** Loads two servers, or one in two ways, in turn: both get the same weather. */
export async function takeTurns(sides: [Side, Side], seconds: number): Promise<[Standing, Standing]> {
  for (const side of sides) await play(side, warmUpSeconds);
  const turns: [Standing[], Standing[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const i of [0, 1] as const) turns[i].push(await play(sides[i], seconds));
  }
  return [middle(turns[0]), middle(turns[1])];
}

async function play({ server, requests }: Side, seconds: number): Promise<Standing> {
  const before = await server.usage();
  const { count, perSecond, p99Ms } = await runLoad({ port: server.port, requests, seconds, connections });
  const after = await server.usage();
  return { perSecond, p99Ms, cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / count };
}

function middle(turns: readonly Standing[]): Standing {
  const of = (name: keyof Standing): number => median(turns.map((turn) => turn[name]));
  return { perSecond: of('perSecond'), p99Ms: of('p99Ms'), cpuMicroseconds: of('cpuMicroseconds') };
}
