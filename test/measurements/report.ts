import { availableParallelism, cpus } from 'node:os';
import { milliseconds, threeDigits } from './numbers.ts';

/** One line of a report. */
export interface Figure {
  what: string;
  measured: string;
  target: string;
  ok: boolean;
  /** The numbers from which the figure was calculated. */
  detail: string;
}

/** A value that must stay below a limit; a time in milliseconds unless `format` says otherwise. */
export function below(
  what: string,
  value: number,
  limit: number,
  detail: string,
  format: (value: number) => string = milliseconds,
): Figure {
  return { what, measured: format(value), target: `< ${format(limit)}`, ok: value < limit, detail };
}

/** A ratio or rate that must reach a limit, in a unit such as `× raw`. */
export function atLeast(what: string, value: number, limit: number, unit: string, detail: string): Figure {
  return {
    what,
    measured: inUnit(threeDigits(value), unit),
    target: `≥ ${inUnit(limit.toLocaleString('en'), unit)}`,
    ok: value >= limit,
    detail,
  };
}

const inUnit = (number: string, unit: string): string => (unit.startsWith('/') ? number + unit : `${number} ${unit}`);

/** A number that must be zero, with a word for what it counts; `enough` says whether there was enough to count in. */
export function none(
  what: string,
  value: number,
  word: string,
  detail: string,
  { target = '0', enough = true }: { target?: string; enough?: boolean } = {},
): Figure {
  return { what, measured: `${value} ${word}`, target, ok: value === 0 && enough, detail };
}

/** All figures as a Markdown table, below a line that names the machine. */
export function report({
  machine,
  node,
  figures,
}: {
  machine: string;
  node: string;
  figures: readonly Figure[];
}): string {
  return [`Node ${node}, ${machine}`, '', figureTable(figures)].join('\n');
}

function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, measured, target, ok, detail }) => [
    what,
    measured,
    target,
    ok ? 'ok' : 'short',
    detail,
  ]);
  return table(['what', 'measured', 'target', 'outcome', 'from'], rows);
}

export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

export const machine = (): string =>
  `${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`;
