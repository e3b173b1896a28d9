import { count, milliseconds } from '../measurements/numbers.ts';
import { demoWall } from '../measurements/demo-wall.ts';
import { feedPage } from '../measurements/paths.ts';
import { below } from '../measurements/report.ts';
import { Requests } from '../measurements/requests.ts';
import { runLoad, runSteadily } from '../measurements/run-load.ts';
import { rawServer } from './raw.ts';
import { posts } from './reading.ts';
import { connections, warmUpSeconds } from './rounds.ts';
import type { Scenario } from './scenario.ts';

const requested = 1_000_000;
const share = 0.5;
const stallUnderMs = 60;

/** The slowest of very many cached pages at a rate that leaves the server idle for half of the time. */
export const tail: Scenario = {
  name: 'tail',
  async measure({ servers, seconds }) {
    const preload = `--import=${new URL('stalls.ts', import.meta.url).href}`;
    const server = await servers.start(await demoWall(posts), { NODE_OPTIONS: preload });
    const raw = await rawServer(server.address, [feedPage]);
    const load = { requests: new Requests([feedPage]), connections };
    for (const { port } of [server, raw]) await runLoad({ ...load, port, seconds: warmUpSeconds });
    const { perSecond: limit } = await runLoad({ ...load, port: server.port, seconds });
    const steady = { ...load, perSecond: limit * share, seconds: requested / (limit * share) };
    const bare = await runSteadily({ ...steady, port: raw.port });
    server.child.kill('SIGUSR2');
    const ours = await runSteadily({ ...steady, port: server.port });
    await raw.stop();
    await server.stop();
    const stall = Number(/^longest stall (\S+) ms$/m.exec(await server.logs)![1]);
    return [
      below(
        `slowest of ${count(requested)} cached pages at half of the limit: longest stall of the process itself`,
        stall,
        stallUnderMs,
        `processor time of its main thread between two timers; ${count(limit * share)}/s: slowest request ${milliseconds(ours.maxMs)}, p99 ${milliseconds(ours.p99Ms)}; raw ${milliseconds(bare.maxMs)}, ${milliseconds(bare.p99Ms)}`,
      ),
    ];
  },
};
