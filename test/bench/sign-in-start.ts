import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import { startRegistration } from '#contract/sign-in.ts';
import { device } from '../kit/sign-in.ts';
import { milliseconds, percentile } from '../measurements/numbers.ts';
import { feedPage } from '../measurements/paths.ts';
import { below } from '../measurements/report.ts';
import { Requests } from '../measurements/requests.ts';
import { runLoad } from '../measurements/run-load.ts';
import type { Scenario } from './scenario.ts';

const posts = 100_000;
const perSecond = 50;
const rounds = 5;
const readers = 16;
const underMs = 50;

/** Fifty people a second start to sign in while readers load the server. */
export const signInStart: Scenario = {
  name: 'sign-in-start',
  async measure({ servers, seconds }) {
    const { address, port } = await servers.demo(posts);
    const total = Math.round(perSecond * seconds * rounds);
    const requests = new Requests([feedPage]);
    const reading = runLoad({ port, requests, seconds: seconds * rounds, connections: readers });
    const run = Date.now();
    const starts: Array<Promise<number>> = [];
    for (let i = 0; i < total; i += 1) {
      starts.push(timed(address, `start${run}n${i}@example.org`));
      await sleep(1_000 / perSecond);
    }
    const tookMs = await Promise.all(starts);
    const { perSecond: reads } = await reading;
    return [
      below(
        `start of a sign-in, ${perSecond} a second beside readers`,
        percentile(tookMs, 0.99),
        underMs,
        `p99 of ${total}; p50 ${milliseconds(percentile(tookMs, 0.5))}; ${Math.round(reads)} reads a second beside`,
      ),
    ];
  },
};

async function timed(address: string, email: string): Promise<number> {
  const begun = performance.now();
  await createClient({ baseUrl: address })(startRegistration, { body: { email, clientToken: 'bench', device } });
  return performance.now() - begun;
}
