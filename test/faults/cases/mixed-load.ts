import { measureMixedLoad, type MixedLoad, wholeMixedLoad } from '../../bench/mixed-load.ts';
import { Servers } from '../../measurements/servers.ts';
import { type Extent, type Fault, hangsAfterMs } from '../fault.ts';

const sizes: Record<Extent, MixedLoad> = {
  /** It shares its machine with other tests and shows only that no request fails. */
  short: {
    posts: 1_000,
    listening: 50,
    probeSeconds: 1,
    atLeastPerSecond: 0,
    seconds: 4,
    share: 0.3,
    p99UnderMs: hangsAfterMs,
    p99Times: Infinity,
    grows: 2,
  },
  whole: wholeMixedLoad,
};

/** Everything that people do, at a rate near the limit. */
export const mixedLoad: Fault = {
  name: 'mixed-load',
  async run(extent) {
    await using servers = new Servers();
    return await measureMixedLoad(servers, sizes[extent]);
  },
};
