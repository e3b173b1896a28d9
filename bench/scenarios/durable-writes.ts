import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk } from '../servers/on-disk.ts';
import { count, milliseconds } from '../format.ts';
import type { Figure, Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';
import { writeOneByOne } from '../writes/one-by-one.ts';
import { writeThroughEngine } from '../writes/through-engine.ts';

const rounds = 3;
const atLeast = 5;
const readsUnder = 20;

/** Acknowledged single-row writes from 64 clients, and reads beside them, straight on the engine. */
export const durableWrites: Scenario = {
  name: 'durable-writes',
  async measure({ seconds }) {
    const folder = await onDisk();
    try {
      return await measureIn(folder, seconds);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function measureIn(folder: string, seconds: number): Promise<Figure[]> {
  const single: number[] = [];
  const engine: Awaited<ReturnType<typeof writeThroughEngine>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    single.push(await writeOneByOne(join(folder, `single-${round}.sqlite`), seconds));
    engine.push(await writeThroughEngine(join(folder, `engine-${round}.sqlite`), seconds));
  }
  const baseline = median(single);
  const perSecond = median(engine.map((round) => round.perSecond));
  const writesP99 = median(engine.map((round) => round.writesP99Ms));
  const readsP99 = median(engine.map((round) => round.readsP99Ms));
  const factor = perSecond / baseline;
  return [
    {
      what: 'durable single-row writes, 64 clients',
      measured: `${factor.toFixed(1)} ×`,
      target: `≥ ${atLeast} ×`,
      ok: factor >= atLeast,
      detail: `${count(perSecond)}/s (p99 ${milliseconds(writesP99)}); synchronous=FULL one by one ${count(baseline)}/s`,
    },
    {
      what: 'reads beside those writes, p99',
      measured: milliseconds(readsP99),
      target: `< ${readsUnder} ms`,
      ok: readsP99 < readsUnder,
      detail: 'the first feed page, from the moment it was due',
    },
  ];
}
