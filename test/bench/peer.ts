import { readFileSync } from 'node:fs';
import { median, microseconds, milliseconds, count } from '../measurements/numbers.ts';
import { table } from '../measurements/report.ts';
import { encode, type RequestSource } from '../measurements/requests.ts';
import { type LoadResult, runLoad } from '../measurements/run-load.ts';
import { connections, rounds, warmUpSeconds } from './rounds.ts';

/** A server that is measured and requests to it, written by the script that has filled it (docs/performance.md). */
interface Peer {
  port: number;
  /** Processes whose CPU time counts. */
  pids: number[];
  loads: Array<{
    what: string;
    requests: Array<{ method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }>;
  }>;
}

const roundSeconds = 1;
/** Linux counts processor time in hundredths of a second. */
const microsecondsPerTick = 10_000;

const { port, pids, loads } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Peer;
const rows: string[][] = [];
for (const { what, requests } of loads) {
  const bytes = requests.map(({ method, path, headers = {}, body }) => encode(method, path, headers, body));
  let sent = 0;
  const source: RequestSource = { next: () => bytes[sent++ % bytes.length]! };
  await measure(source, warmUpSeconds);
  const measured: Array<LoadResult & { cpu: number }> = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measure(source, roundSeconds));
  const of = (name: keyof LoadResult | 'cpu'): number => median(measured.map((one) => one[name]));
  rows.push([
    what,
    `${count(of('perSecond'))}/s`,
    microseconds(of('cpu')),
    milliseconds(of('p50Ms')),
    milliseconds(of('p99Ms')),
  ]);
}
console.log(table(['requests', 'rate', 'CPU', 'p50', 'p99'], rows));

async function measure(requests: RequestSource, seconds: number): Promise<LoadResult & { cpu: number }> {
  const before = cpuMicroseconds();
  const result = await runLoad({ port, requests, seconds, connections });
  return { ...result, cpu: (cpuMicroseconds() - before) / result.count };
}

function cpuMicroseconds(): number {
  const ticks = pids.map((pid) => {
    // The name of a process, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * microsecondsPerTick;
}
