import type { Run } from './record.ts';

/**
 * A run of some scenarios, put into an earlier one of all of them: what it has measured replaces what the earlier one has
 * of these scenarios. The rest stays, with the commit and the date of its own run.
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
