import type { Figure } from '../bench/scenario.ts';

/** `npm test` runs a short form of every trial; `npm run torture` the whole. */
export type Extent = 'short' | 'whole';

/** Something bad that happens to a wall, and what must hold all the same. */
export interface Trial {
  /** As `--only` takes it. */
  name: string;
  /** The file of tests that is its short form: then it has none of its own. */
  shortFormIn?: string;
  /** What this machine has not got for it, in words. */
  lacks?(): Promise<string | undefined>;
  run(extent: Extent): Promise<Figure[]>;
}
