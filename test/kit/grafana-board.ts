import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Panel {
  title: string;
  targets?: ReadonlyArray<{ expr: string }>;
  panels?: readonly Panel[];
}

const file = join(import.meta.dirname, '../../deploy/grafana-dashboard.json');
const expressionsOf = ({ targets = [], panels = [] }: Panel): string[] => [
  ...targets.map(({ expr }) => expr),
  ...panels.flatMap(expressionsOf),
];

/** The PromQL of every panel. */
export const boardExpressions = (): string[] => expressionsOf(JSON.parse(readFileSync(file, 'utf8')) as Panel);

const words = /[a-zA-Z_:][\w:]*(?!\w|\s*\()/g;
const labelLists = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** The metrics that an expression reads, and the labels by which it selects and groups them. */
export function namesIn(expr: string): { metrics: string[]; labels: string[] } {
  const withoutTexts = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]/g, '');
  const lists = [...withoutTexts.matchAll(labelLists)].map(([, list]) => list!);
  const selectors = [...withoutTexts.matchAll(/\{([^}]*)\}/g)].map(([, list]) => list!.replaceAll('""', ''));
  const metrics = withoutTexts.replaceAll(labelLists, '').replaceAll(/\{[^}]*\}/g, '');
  return {
    metrics: metrics.match(words) ?? [],
    labels: [...lists, ...selectors].flatMap((list) => list.match(words) ?? []),
  };
}
