import type { Kind, RecordedFigure, Run } from './record.ts';
import { figureTable, table } from './report.ts';

/** The last run of each kind; without one its places stay as they are. */
export type Runs = Readonly<Record<Kind, Run | undefined>>;

/**
 * A place in a document that is filled from a run:
 *
 * `<!-- figures bench feed-json,publish -->` a table, of all figures without names, `<!-- /figures -->`
 * `<!-- figure bench feed-json -->` what was measured `<!-- /figure -->`, or with `publish/2` the second figure of a scenario
 * `<!-- figure bench feed-json cpu -->` one of its `parts` `<!-- /figure -->`
 * `<!-- figure faults -->` which run it was `<!-- /figure -->`
 */
const place = /(<!-- figure(s?) (bench|faults)(?: ([^ >]+))?(?: (\w+))? -->)(.*?)(<!-- \/figure\2 -->)/gs;
const marker = /<!-- \/?figures?\b[^>]*-->/g;

/** A document with its places filled. */
export function fill(document: string, runs: Runs): string {
  let markers = 0;
  const filled = document.replace(place, (whole, begin, isTable, kind: Kind, name, part, _old, end) => {
    markers += 2;
    const run = runs[kind];
    if (!run) return whole;
    return isTable ? `${begin}\n\n${tableOf(run, name)}\n\n${end}` : `${begin}${textOf(run, name, part)}${end}`;
  });
  const all = document.match(marker)?.length ?? 0;
  if (all !== markers) throw new Error(`${all - markers} markers of figures are misspelt or have no partner`);
  return filled;
}

/** Whether the places are filled from these runs, whatever the width of the columns. */
export const isFilled = (document: string, runs: Runs): boolean => narrow(fill(document, runs)) === narrow(document);

const narrow = (text: string): string => text.replace(/ /g, '').replace(/-{3,}/g, '---');

function tableOf(run: Run, names: string | undefined): string {
  const figures = names ? names.split(',').flatMap((name) => figuresOf(run, name)) : run.figures;
  return run.kind === 'faults' ? faultTable(run, figures) : figureTable(figures);
}

/** Faults are measured one by one, so each figure says when and of which commit. */
function faultTable({ commit, date }: Run, figures: readonly RecordedFigure[]): string {
  const rows = figures.map(({ scenario, what, measured, target, ok, from = { commit, date } }) => {
    const run = `${from.date.slice(0, 10)}, ${from.commit.slice(0, 7)}`;
    return [`\`${scenario}\``, what, measured, target, ok ? 'ok' : 'short', run];
  });
  return table(['fault', 'what', 'measured', 'target', 'outcome', 'run'], rows);
}

function textOf(run: Run, name: string | undefined, part: string | undefined): string {
  if (!name) return `${run.date.slice(0, 10)}, commit ${run.commit.slice(0, 7)}, ${run.machine}`;
  const [scenario, number = '1'] = name.split('/');
  const figure = figuresOf(run, scenario!)[Number(number) - 1];
  const text = part ? figure?.parts?.[part] : figure?.measured;
  if (text === undefined) throw new Error(`The last run has no figure “${name}${part ? ` ${part}` : ''}”`);
  return text;
}

function figuresOf({ kind, figures }: Run, scenario: string): RecordedFigure[] {
  const found = figures.filter((figure) => figure.scenario === scenario);
  if (found.length === 0) throw new Error(`The last run of ${kind} has no scenario “${scenario}”`);
  return found;
}
