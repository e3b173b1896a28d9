import { type Engine, engines } from '../kit/engines.ts';
import type { Figure } from '../measurements/report.ts';

/** `npm test` runs a short form of every fault, `npm run faults` the whole form. */
export type Extent = 'short' | 'whole';

/** Something bad that happens to a wall, and what must hold in spite of it. */
export interface Fault {
  /** Value of `--only`. */
  name: string;
  /** The test file that is the short form of a fault which has none of its own. */
  shortFormIn?: string;
  /** The requirements of the fault that this machine lacks, in words. */
  lacks?(): Promise<string | undefined>;
  run(extent: Extent): Promise<Figure[]>;
}

/** Nothing takes this long but what hangs, also on a machine with ten times as much work as it can do. */
export const hangsAfterMs = 180_000;

/** The limit of a time, ms: the promised one, and in the short form, which shares its machine, one that only a hang exceeds. */
export const limitOf = (extent: Extent, promisedMs: number): number => (extent === 'whole' ? promisedMs : hangsAfterMs);

/** Runs one after the other on SQLite and PostgreSQL. */
export async function onEachEngine(run: (engine: Engine) => Promise<Figure[]>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const engine of engines) figures.push(...(await run(engine)));
  return figures;
}
