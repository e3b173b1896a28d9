import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engines } from '../kit/engines.ts';
import { count } from '../measurements/numbers.ts';
import { below, type Figure } from '../measurements/report.ts';

/** `npm run test:all` runs a short form of every fault, `npm run faults` the whole form. */
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

/** What takes longer than this hangs. Even on a machine with ten times too much work everything else is faster. */
export const hangsAfterMs = 180_000;

/** The limit of a time, ms: the promised one, and in the short form, which shares its machine, one that only a hang exceeds. */
export const limitOf = (extent: Extent, promisedMs: number): number => (extent === 'whole' ? promisedMs : hangsAfterMs);

/** A time that must stay below the promised one; `enough` says whether what took it was as it must be. */
export function within(
  extent: Extent,
  what: string,
  ms: number,
  promisedMs: number,
  detail: string,
  enough = true,
): Figure {
  const figure = below(what, ms, limitOf(extent, promisedMs), detail);
  return { ...figure, ok: figure.ok && enough };
}

export const holds = (what: string, ok: boolean, measured: string, target: string, detail = ''): Figure => ({
  what,
  measured,
  target,
  ok,
  detail,
});

/** Numbers that must be exactly these; `enough` says whether what led to them was as it must be. */
export function exactly(
  what: string,
  found: readonly number[],
  wanted: readonly number[],
  detail: string,
  { word = '', enough = true } = {},
): Figure {
  const text = (numbers: readonly number[]): string => `${numbers.map(count).join(', ')} ${word}`.trim();
  return holds(what, enough && text(found) === text(wanted), text(found), text(wanted), detail);
}

/** Resolves to the milliseconds until something is true, or to Infinity when it is not in time. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { withinMs = hangsAfterMs, everyMs = 10 } = {},
): Promise<number> {
  for (const began = performance.now(); ; await sleep(everyMs)) {
    if (await isTrue()) return performance.now() - began;
    if (performance.now() - began > withinMs) return Infinity;
  }
}

/** Does the same for each, one after the other. */
export async function inTurn<T>(all: Iterable<T>, run: (one: T) => Promise<Figure[]>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const one of all) figures.push(...(await run(one)));
  return figures;
}

/** Runs one after the other on SQLite and PostgreSQL. */
export const onEachEngine = (run: (engine: Engine) => Promise<Figure[]>): Promise<Figure[]> => inTurn(engines, run);
