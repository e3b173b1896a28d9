import { parseArgs } from 'node:util';
import { type Kind, lastRun, newRun, recorded, type Run, writeRun } from './record.ts';
import { type Figure, report } from './report.ts';

/** Something that `--only` can name. */
interface Measured {
  name: string;
  /** `seconds` is the length of a round. */
  measure: (seconds: number) => Promise<readonly Figure[]>;
}

/**
 * The command line of `npm run bench` and `npm run faults`: measures what is chosen, writes it to a file and prints it.
 */
export async function measureAll(kind: Kind, all: readonly Measured[], usualSeconds?: number): Promise<Run> {
  const { only, seconds, json } = settings(kind, all, usualSeconds);
  const run = newRun(kind, usualSeconds ? seconds : null);
  for (const { name, measure } of all.filter((one) => only.includes(one.name))) {
    console.error(`${name}…`);
    run.figures.push(...recorded(name, await measure(seconds)));
    writeRun(json, run);
  }
  console.log(report(run));
  console.error(`Written to ${json}`);
  return run;
}

function settings(kind: Kind, all: readonly Measured[], usualSeconds: number | undefined) {
  const names = all.map(({ name }) => name);
  const length = usualSeconds ? ` [--seconds ${usualSeconds}]` : '';
  const usage = `npm run ${kind} -- [--only ${names.join(',')}]${length} [--json FILE]`;
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: { only: text, json: text, ...(usualSeconds && { seconds: text }) },
    });
    const { json = lastRun(kind) } = values;
    const only = values.only?.split(',') ?? names;
    const seconds = Number((values as { seconds?: string }).seconds ?? usualSeconds);
    const unknown = only.find((name) => !names.includes(name));
    if (unknown) throw new Error(`There is no “${unknown}”`);
    if (usualSeconds && !(seconds > 0)) throw new Error('A round takes more than 0 seconds');
    return { only, seconds, json };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}
