import type { RecordedFigure, Run } from './record.ts';
import { table } from './report.ts';

const absent = '–';

/**
 * Two runs side by side. A figure is found in the other run by its scenario and its name. One that only one of them
 * has stands beside a dash: the other ran other scenarios or was made of other sources.
 */
export function compare(before: Run, after: Run): string {
  const names = new Set([...before.figures, ...after.figures].map(nameOf));
  const [first, second] = [byName(before), byName(after)];
  const rows = [...names].map((name) => row(first.get(name), second.get(name)));
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

/** What else differs between the runs. */
function differences(before: Run, after: Run): string[] {
  const lines = [
    `${before.commit}: ${describe(before)}`,
    `${after.commit}: ${describe(after)}`,
    ...(before.kind === after.kind ? [] : ['The runs are of different kinds.']),
    ...(before.machine === after.machine ? [] : ['The machines differ: only the ratios can be compared.']),
    ...(before.seconds === after.seconds ? [] : ['The rounds differ in length.']),
  ];
  return [...lines, ''];
}

const describe = ({ date, machine, seconds }: Run): string =>
  [date, machine, ...(seconds ? [`rounds of ${seconds} s`] : [])].join(', ');

const nameOf = ({ scenario, what }: RecordedFigure): string => `${scenario}: ${what}`;

const byName = ({ figures }: Run): Map<string, RecordedFigure> =>
  new Map(figures.map((figure) => [nameOf(figure), figure]));
