import { count } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { fuzz, type FuzzedWall } from '../../kit/fuzzing.ts';
import { targets } from '../../kit/hostile-requests.ts';
import { openWall } from '../../kit/wall.ts';
import { openWallOverHttp } from '../kit/wall-over-http.ts';
import { type Fault, onEachEngine } from '../fault.ts';

const requestsPerRoute = { sqlite: 20_000, postgres: 2_000 };
const overHttp = 1_000;

/** Hostile requests to every route: no failure, every rejection in the error format, nothing invalid stored. */
export const fuzzedBodies: Fault = {
  name: 'fuzzed-bodies',
  shortFormIn: 'server/http/fuzz.test.ts',
  async run() {
    const settings = { RATE_LIMITS: 'off', READS_PER_MINUTE: '100000000' };
    return onEachEngine(async (engine) => [
      await fuzzed(engine, await openWall(engine, settings), requestsPerRoute[engine]),
      await fuzzed(`${engine}, over HTTP`, await openWallOverHttp(engine, settings), overHttp),
    ]);
  },
};

async function fuzzed(where: string, opened: FuzzedWall & AsyncDisposable, perRoute: number): Promise<Figure> {
  await using wall = opened;
  let requests = 0;
  let accepted = 0;
  const faults: string[] = [];
  for (const target of targets) {
    const found = await fuzz(wall, target, perRoute);
    requests += found.requests;
    accepted += found.accepted;
    faults.push(...found.faults.map((fault) => `${target.name}: ${fault}`));
  }
  for (const fault of faults) console.error(fault);
  return none(
    `hostile requests to ${targets.length} routes, ${where}`,
    faults.length,
    'faults',
    `${count(requests)} requests, ${count(accepted)} accepted; no 5xx, one error format, valid rows, nothing of another person changed`,
    { target: `0 in ${count(perRoute)} each` },
  );
}
