import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { engines } from '../../test/engines.ts';
import { fuzz, type FuzzedWall } from '../../test/fuzzing.ts';
import { targets } from '../../test/hostile-requests.ts';
import { openWall } from '../../test/wall.ts';
import { openDistantWall } from '../kit/distant-wall.ts';
import type { Trial } from '../trial.ts';

const each = { sqlite: 20_000, postgres: 2_000 };
const throughSockets = 1_000;

/** Whatever is sent to any call: no failure, every refusal in the one form, nothing stored that should not be. */
export const fuzzedBodies: Trial = {
  name: 'fuzzed-bodies',
  shortFormIn: 'server/http/fuzz.test.ts',
  async run() {
    const figures: Figure[] = [];
    for (const engine of engines) {
      const wall = await openWall(engine, { RATE_LIMITS: 'off', READS_PER_MINUTE: '100000000' });
      figures.push(await fuzzed(engine, wall, each[engine]));
      const settings = { RATE_LIMITS: 'off', READS_PER_MINUTE: '100000000' };
      figures.push(await fuzzed(`${engine}, over HTTP`, await openDistantWall(engine, settings), throughSockets));
    }
    return figures;
  },
};

async function fuzzed(
  where: string,
  wall: FuzzedWall & { close(): Promise<void> },
  requestsEach: number,
): Promise<Figure> {
  let requests = 0;
  let accepted = 0;
  const faults: string[] = [];
  try {
    for (const target of targets) {
      const found = await fuzz(wall, target, requestsEach);
      requests += found.requests;
      accepted += found.accepted;
      faults.push(...found.faults.map((fault) => `${target.name}: ${fault}`));
    }
  } finally {
    await wall.close();
  }
  for (const fault of faults) console.error(fault);
  return {
    what: `hostile requests to ${targets.length} routes, ${where}`,
    measured: `${faults.length} faults`,
    target: `0 in ${count(requestsEach)} each`,
    ok: faults.length === 0,
    detail: `${count(requests)} requests, ${count(accepted)} accepted; no 5xx, one form of error, lawful rows, nothing of a bystander changed`,
  };
}
