import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Random } from '../../../demo/random.ts';
import { measureMixedLoad, wholeMixedLoad } from '../../bench/mixed-load.ts';
import { count, sum } from '../../measurements/numbers.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { Servers } from '../../measurements/servers.ts';
import { fuzz, type FuzzedWall } from '../../kit/fuzzing.ts';
import { targets } from '../../kit/hostile-requests.ts';
import { interleave } from '../../kit/interleavings.ts';
import { root } from '../../kit/node-process.ts';
import { compareSearches } from '../../kit/search-comparison.ts';
import { openWall } from '../../kit/wall.ts';
import { openWallOverHttp } from '../kit/wall-over-http.ts';
import { type Fault, hangsAfterMs, onEachEngine } from '../fault.ts';

/** The short form shares its machine with other tests, so it shows only that no request fails. */
const shortLoad = {
  posts: 1_000,
  listening: 50,
  probeSeconds: 1,
  atLeastPerSecond: 0,
  seconds: 4,
  share: 0.3,
  p99UnderMs: hangsAfterMs,
  p99Times: Infinity,
  grows: 2,
};

/** Everything that people do, at a rate near the limit. */
const mixedLoad: Fault = {
  name: 'mixed-load',
  async run(extent) {
    await using servers = new Servers();
    return await measureMixedLoad(servers, extent === 'short' ? shortLoad : wholeMixedLoad);
  },
};

const requestsPerRoute = { sqlite: 20_000, postgres: 2_000 };
const overHttp = 1_000;

/** Hostile requests to every route: no failure, every rejection in the error format, nothing invalid stored. */
const fuzzedBodies: Fault = {
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

const searched = { posts: 20_000, queries: 500 };

/** The same random queries to the same posts on both engines. */
const searchEngines: Fault = {
  name: 'search-engines',
  shortFormIn: 'server/features/search/search.test.ts',
  async run() {
    const { queries, fruitful, differences } = await compareSearches(searched);
    for (const query of differences) console.error(query);
    const what = `random queries among ${count(searched.posts)} posts, SQLite against PostgreSQL`;
    const detail = `${fruitful} of ${queries} queries found something; up to three pages of each`;
    return [none(what, differences.length, 'differences', detail, { enough: fruitful > queries / 2 })];
  },
};

const steps = 10_000;

/** Deletions that are taken back, among all that may happen to a post at the same time. */
const takenBack: Fault = {
  name: 'taken-back',
  shortFormIn: 'server/features/posts/undo.test.ts',
  run: () =>
    onEachEngine(async (engine) => {
      const done = await interleave(engine, steps, new Random(17));
      for (const fault of done.faults.slice(0, 20)) console.error(fault);
      const detail = `${count(done.steps)} steps, ${count(done.restored)} deletions taken back, ${count(done.purged)} purged`;
      const enough = done.steps >= steps && done.restored > 100 && done.purged > 100;
      return [none(`deletions taken back in any order, ${engine}`, done.faults.length, 'faults', detail, { enough })];
    }),
};

const times = 5;

/** Repeats the browser tests of texts that must never execute, so that a rare failure has more chances to occur. */
const hostileTexts: Fault = {
  name: 'hostile-texts',
  shortFormIn: 'test/e2e/hostile-texts.spec.ts',
  async run() {
    const runs: Array<[passed: number, failed: number]> = [];
    for (let i = 0; i < times; i += 1) runs.push(await runOf('e2e/hostile-'));
    const detail = `${sum(runs.map(([passed]) => passed))} tests passed`;
    const failed = sum(runs.map(([, failures]) => failures));
    const enough = runs.every(([passed]) => passed > 0);
    const what = 'hostile posts and names, shown and published, and pages of other origins';
    return [none(`in Chromium: ${what}, ${times} times`, failed, 'failed', detail, { enough })];
  },
};

async function runOf(filter: string): Promise<[passed: number, failed: number]> {
  const child = spawn(process.execPath, [join(root, 'scripts/test.mjs'), filter], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const [, passed = '0', failed = '1'] = /^(\d+) passed, (\d+) failed$/.exec(output.trim().split('\n').at(-1)!) ?? [];
  if (failed !== '0') console.error(output, errors);
  return [Number(passed), Number(failed)];
}

export const larger = [mixedLoad, fuzzedBodies, searchEngines, takenBack, hostileTexts];
