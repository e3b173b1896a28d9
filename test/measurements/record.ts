import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../kit/node-process.ts';
import { type Figure, machine, table } from './report.ts';

/** The command that was run: `npm run bench` or `npm run faults`. */
export type Kind = 'bench' | 'faults';

/** A figure of a run. `value` and `unit` are the parts of `measured`; null for one that is not a single number. */
export interface RecordedFigure extends Figure {
  scenario: string;
  value: number | null;
  unit: string;
}

/** A run as JSON. */
export interface Run {
  kind: Kind;
  /** It ends with `-dirty` if files of the project differed from it. */
  commit: string;
  /** When it began, in UTC. */
  date: string;
  node: string;
  machine: string;
  /** Length of a round; faults have none. */
  seconds: number | null;
  figures: RecordedFigure[];
}

export function newRun(kind: Kind, seconds: number | null = null): Run {
  return {
    kind,
    commit: commit(),
    date: `${new Date().toISOString().slice(0, 16)}Z`,
    node: process.versions.node,
    machine: machine(),
    seconds,
    figures: [],
  };
}

export const recorded = (scenario: string, figures: readonly Figure[]): RecordedFigure[] =>
  figures.map((figure) => ({ scenario, ...figure, ...numberOf(figure.measured) }));

/** The number and the unit of `0.63 × alone`, `12,000/s` or `p99 33 ms`. */
export function numberOf(measured: string): { value: number | null; unit: string } {
  const [, number, unit] = /^(?:p99 |slowest )?([+-]?\d[\d,]*(?:\.\d+)?) ?([^\d,]*)$/.exec(measured) ?? [];
  if (number === undefined) return { value: null, unit: '' };
  return { value: Number(number.replaceAll(',', '')), unit: unit!.trim() };
}

export const readRun = (file: string): Run => JSON.parse(readFileSync(file, 'utf8')) as Run;

/** The file is complete at every moment, because a run that is interrupted leaves what it has measured. */
export function writeRun(file: string, run: Run): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.unfinished`, `${JSON.stringify(run, null, 2)}\n`);
  renameSync(`${file}.unfinished`, file);
}

/** Where a run is written that names no file. */
export const lastRun = (kind: Kind): string => join(root, 'node_modules/.cache/figures', `${kind}.json`);

function commit(): string {
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

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

const describe = (run: Run): string =>
  [run.date, run.machine, ...(run.seconds ? [`rounds of ${run.seconds} s`] : [])].join(', ');

const nameOf = ({ scenario, what }: RecordedFigure): string => `${scenario}: ${what}`;

const byName = ({ figures }: Run): Map<string, RecordedFigure> =>
  new Map(figures.map((figure) => [nameOf(figure), figure]));
