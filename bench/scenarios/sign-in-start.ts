import { setTimeout as sleep } from 'node:timers/promises';
import { startRegistration } from '../door.ts';
import { milliseconds } from '../format.ts';
import { Requests } from '../load/requests.ts';
import { runLoad } from '../load/run-load.ts';
import { feedPage } from '../paths.ts';
import type { Scenario } from '../scenario.ts';

const posts = 100_000;
const perSecond = 50;
const rounds = 5;
const readers = 16;
const under = 50;

/** Starting to sign in, fifty times a second, while readers load the server. */
export const signInStart: Scenario = {
  name: 'sign-in-start',
  async measure({ servers, seconds }) {
    const { port } = await servers.app(posts);
    const total = Math.round(perSecond * seconds * rounds);
    const requests = new Requests(1, () => feedPage);
    const reading = runLoad({ port, requests, seconds: seconds * rounds, connections: readers });
    const run = Date.now();
    const starts: Array<Promise<number>> = [];
    for (let i = 0; i < total; i += 1) {
      starts.push(timed(port, `start${run}n${i}@example.org`));
      await sleep(1_000 / perSecond);
    }
    const took = (await Promise.all(starts)).toSorted((a, b) => a - b);
    const p99 = took[Math.floor(took.length * 0.99)]!;
    const { perSecond: reads } = await reading;
    return [
      {
        what: `a sign-in started, ${perSecond} a second beside readers`,
        measured: milliseconds(p99),
        target: `< ${under} ms`,
        ok: p99 < under,
        detail: `p99 of ${total}; p50 ${milliseconds(took[Math.floor(took.length / 2)]!)}; ${Math.round(reads)} reads a second beside`,
      },
    ];
  },
};

async function timed(port: number, email: string): Promise<number> {
  const begun = performance.now();
  const response = await startRegistration(port, email);
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`A start was answered with ${response.status}`);
  return performance.now() - begun;
}
