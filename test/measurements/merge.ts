import type { Run } from './record.ts';

/**
 * Puts a run of some scenarios into an earlier run of all of them. Its figures replace the earlier figures of the same
 * scenarios. The other figures keep the commit and the date of their own run.
 */
export function merge(earlier: Run, run: Run, order: readonly string[]): Run {
  const measured = new Set(run.figures.map(({ scenario }) => scenario));
  const { commit, date } = earlier;
  const rest = earlier.figures
    .filter(({ scenario }) => !measured.has(scenario) && order.includes(scenario))
    .map((figure) => ({ ...figure, from: figure.from ?? { commit, date } }));
  const figures = [...rest, ...run.figures].toSorted((a, b) => order.indexOf(a.scenario) - order.indexOf(b.scenario));
  return { ...run, figures };
}
