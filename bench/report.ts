import { availableParallelism, cpus } from 'node:os';
import type { Figure } from './scenario.ts';

const headings = ['what', 'measured', 'target', '', 'from'];

/** The result as a table to read and to paste. */
export function report(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, measured, target, ok, detail }) => [
    what,
    measured,
    target,
    ok ? 'ok' : 'short',
    detail,
  ]);
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]): string => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [machine(), '', line(headings), rule, ...rows.map(line)].join('\n');
}

function machine(): string {
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`;
}
