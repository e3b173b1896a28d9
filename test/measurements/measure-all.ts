import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compare } from './compare.ts';
import { merge } from './merge.ts';
import { type Kind, lastRun, newRun, readRun, recorded, type Run, writeRun } from './record.ts';
import { type Figure, report } from './report.ts';

/** Something that `--only` can name. */
interface Measured {
  name: string;
  /** Not part of a run without `--only`. */
  onlyWhenNamed?: boolean;
  measure: (sizes: Sizes) => Promise<readonly Figure[]>;
}

interface Sizes {
  /** Length of a round. */
  seconds: number;
  /** The number of posts of a large wall. */
  posts: number;
}

/**
 * The command line of `npm run bench` and `npm run faults`: measures what is chosen, writes it to a file and prints it,
 * beside an earlier run if there is one to compare with. `--with` compares two files and measures nothing. `--into` puts
 * the faults that are measured into the file of all of them; figures of the bench belong together and are not mixed.
 */
export async function measureAll(kind: Kind, all: readonly Measured[], usual: Sizes | null = null): Promise<Run> {
  const { only, sizes, json, into, against, instead } = settings(kind, all, usual);
  const before = against && readRun(against);
  const earlier = into && existsSync(into) ? readRun(into) : undefined;
  const names = all.map(({ name }) => name);
  const run = instead ? readRun(instead) : newRun(kind, usual && sizes.seconds);
  if (!instead) {
    for (const { name, measure } of all.filter((one) => only.includes(one.name))) {
      console.error(`${name}…`);
      run.figures.push(...recorded(name, await measure(sizes)));
      writeRun(json, earlier ? merge(earlier, run, names) : run);
    }
    console.log(report(run));
    console.error(`Written to ${json}`);
  }
  if (before) console.log(`\n${compare(before, run)}`);
  return run;
}

function settings(kind: Kind, all: readonly Measured[], usual: Sizes | null) {
  const names = all.map(({ name }) => name);
  const sized = usual ? ` [--seconds ${usual.seconds}] [--posts ${usual.posts}]` : '';
  const usage = `npm run ${kind} -- [--only ${names.join(',')}]${sized} [--json FILE]${usual ? '' : ' [--into FILE]'} [--compare OTHER.json [--with THIS.json]]`;
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: {
        only: text,
        json: text,
        compare: text,
        with: text,
        ...(usual ? { seconds: text, posts: text } : { into: text }),
      },
    });
    const named = values as { seconds?: string; posts?: string; into?: string };
    const { into } = named;
    const { json = into ?? lastRun(kind), compare: against, with: instead } = values;
    const only = values.only?.split(',') ?? all.filter((one) => !one.onlyWhenNamed).map(({ name }) => name);
    const sizes: Sizes = {
      seconds: Number(named.seconds ?? usual?.seconds),
      posts: Number(named.posts ?? usual?.posts),
    };
    const unknown = only.find((name) => !names.includes(name));
    if (unknown) throw new Error(`There is no “${unknown}”`);
    if (usual && !(sizes.seconds > 0)) throw new Error('A round takes more than 0 seconds');
    if (usual && !(sizes.posts >= 1)) throw new Error('A wall has posts');
    if (instead && !against) throw new Error('--with needs --compare');
    return { only, sizes, json, into, against, instead };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}
