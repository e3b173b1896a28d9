import type { RecordedFigure, Run } from './record.ts';
import { table } from './report.ts';

const absent = '–';

/**
 * Two runs side by side: the scenarios of both, the others are only named. A figure is found in the other run by its
 * scenario and its name; one that only one of them has, because the scenario has changed, stands beside a dash.
 */
export function compare(before: Run, after: Run): string {
  const [first, second] = [byName(before), byName(after)];
  const shared = scenariosOf(before).intersection(scenariosOf(after));
  const names = [...before.figures, ...after.figures].filter(({ scenario }) => shared.has(scenario)).map(nameOf);
  const rows = [...new Set(names)].map((name) => row(first.get(name), second.get(name)));
  return [
    ...differences(before, after),
    table(['what', before.commit, after.commit, 'change', 'target', ''], rows),
  ].join('\n');
}

function row(before: RecordedFigure | undefined, after: RecordedFigure | undefined): string[] {
  const { scenario, what, target } = (after ?? before)!;
  return [
    `${scenario}: ${what}`,
    before?.measured ?? absent,
    after?.measured ?? absent,
    before && after ? change(before, after) : absent,
    target,
    after ? (after.ok ? 'ok' : 'short') : absent,
  ];
}

function change(before: RecordedFigure, after: RecordedFigure): string {
  if (before.value === null || after.value === null || before.unit !== after.unit || before.value === 0) return '';
  const percent = (after.value / before.value - 1) * 100;
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`;
}

/** Other differences between the runs. */
function differences(before: Run, after: Run): string[] {
  const lines = [
    `${before.commit}: ${describe(before)}`,
    `${after.commit}: ${describe(after)}`,
    ...(before.kind === after.kind ? [] : ['The runs are of different kinds.']),
    ...(before.machine === after.machine ? [] : ['The machines differ: only the ratios can be compared.']),
    ...(before.seconds === after.seconds ? [] : ['The rounds differ in length.']),
    ...onlyIn(before, after),
    ...onlyIn(after, before),
  ];
  return [...lines, ''];
}

function onlyIn(run: Run, other: Run): string[] {
  const names = [...scenariosOf(run).difference(scenariosOf(other))];
  return names.length === 0 ? [] : [`Only in ${run.commit}: ${names.join(', ')}`];
}

const scenariosOf = ({ figures }: Run): Set<string> => new Set(figures.map(({ scenario }) => scenario));

const describe = ({ date, machine, seconds }: Run): string =>
  [date, machine, ...(seconds ? [`rounds of ${seconds} s`] : [])].join(', ');

const nameOf = ({ scenario, what }: RecordedFigure): string => `${scenario}: ${what}`;

const byName = ({ figures }: Run): Map<string, RecordedFigure> =>
  new Map(figures.map((figure) => [nameOf(figure), figure]));
