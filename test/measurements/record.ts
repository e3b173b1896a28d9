import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../kit/node-process.ts';
import { type Figure, machine } from './report.ts';

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

/** The file is complete at every moment, because a run that is interrupted leaves what it has measured. */
export function writeRun(file: string, run: Run): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.unfinished`, `${JSON.stringify(run, null, 2)}\n`);
  renameSync(`${file}.unfinished`, file);
}

/** The file of a run without `--json`. */
export const lastRun = (kind: Kind): string => join(root, 'node_modules/.cache/figures', `${kind}.json`);

function commit(): string {
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
