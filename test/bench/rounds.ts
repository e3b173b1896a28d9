import { count, median, microseconds, milliseconds, times } from '../measurements/numbers.ts';
import { below, type Figure } from '../measurements/report.ts';
import type { RequestSource } from '../measurements/requests.ts';
import { runLoad } from '../measurements/run-load.ts';
import type { Servers } from '../measurements/servers.ts';
import type { ServerProcess } from '../kit/server-process.ts';

export interface Bench {
  servers: Servers;
  /** Length of one round. */
  seconds: number;
}

export interface Scenario {
  /** Value of `--only`. */
  name: string;
  measure(bench: Bench): Promise<Figure[]>;
}

export const rounds = 5;
export const connections = 64;
/** Connections for pages that are not cached. The server would refuse some pages to many more visitors (`read-shares-http.ts`). */
export const pageConnections = 32;
export const warmUpSeconds = 2;

export interface Side {
  server: ServerProcess;
  requests: RequestSource;
  connections?: number;
}

export interface Round {
  perSecond: number;
  p99Ms: number;
  /** CPU time of the server per request. Unlike the rate, it does not depend on how busy the machine is. */
  cpuMicroseconds: number;
}

/** Puts load on two servers, or on one in two ways, in turn, so that other work on the machine affects both alike. */
export async function alternate(sides: [Side, Side], seconds: number): Promise<[Round, Round]> {
  for (const side of sides) await measureRound(side, warmUpSeconds);
  const measured: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const i of [0, 1] as const) measured[i].push(await measureRound(sides[i], seconds));
  }
  return [medianRound(measured[0]), medianRound(measured[1])];
}

/** The CPU time of the second side against that of the first. */
export async function cpuTimes(what: string, sides: [Side, Side], seconds: number, atMost: number): Promise<Figure> {
  const [usual, heavy] = await alternate(sides, seconds);
  const ratio = heavy.cpuMicroseconds / usual.cpuMicroseconds;
  return below(`${what}, CPU time`, ratio, atMost, `${words(heavy)} against ${words(usual)}`, times);
}

export async function measureRound(
  { server, requests, connections: open = connections }: Side,
  seconds: number,
): Promise<Round> {
  const before = await server.usage();
  const result = await runLoad({ port: server.port, requests, seconds, connections: open });
  const after = await server.usage();
  const { perSecond, p99Ms } = result;
  return { perSecond, p99Ms, cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / result.count };
}

export function medianRound(measured: readonly Round[]): Round {
  const of = (name: keyof Round): number => median(measured.map((round) => round[name]));
  return { perSecond: of('perSecond'), p99Ms: of('p99Ms'), cpuMicroseconds: of('cpuMicroseconds') };
}

export const words = ({ perSecond, p99Ms, cpuMicroseconds }: Round): string =>
  `${count(perSecond)}/s (CPU ${microseconds(cpuMicroseconds)}, p99 ${milliseconds(p99Ms)})`;
