import { standing } from '../format.ts';
import { Requests } from '../load/requests.ts';
import { type Side, takeTurns } from '../load/take-turns.ts';
import { pageAfter, randomIds, shuffledIds } from '../paths.ts';
import type { Bench, Figure, Scenario } from '../scenario.ts';

const small = 10_000;
const big = 1_000_000;
/** More than the server holds in memory: when a page's turn comes again, it has long been forgotten. */
const pages = 10_000;
const atMost = 1.3;

export const wallSize: Scenario = {
  name: 'wall-size',
  async measure(bench) {
    const few = await side(bench, small, shuffledIds(1, small));
    const many = await side(bench, big, randomIds(10 * pages, big));
    return compare('feed page not in memory, 1,000,000 posts against 10,000', [few, many], bench);
  },
};

export const depth: Scenario = {
  name: 'depth',
  async measure(bench) {
    const top = await side(bench, big, shuffledIds(big - pages, big));
    const bottom = await side(bench, big, shuffledIds(1, pages));
    return compare('feed page by cursor, the bottom of 1,000,000 posts against the top', [top, bottom], bench);
  },
};

async function side({ servers }: Bench, posts: number, ids: number[]): Promise<Side> {
  const server = await servers.app(posts);
  return { server, requests: new Requests(ids.length, (i) => pageAfter(ids[i]!)) };
}

async function compare(what: string, sides: [Side, Side], { seconds }: Bench): Promise<Figure[]> {
  const [light, heavy] = await takeTurns(sides, seconds);
  const factor = light.perSecond / heavy.perSecond;
  return [
    {
      what,
      measured: `${factor.toFixed(2)} ×`,
      target: `≤ ${atMost} ×`,
      ok: factor <= atMost,
      detail: `${standing(heavy)} against ${standing(light)}`,
    },
  ];
}
