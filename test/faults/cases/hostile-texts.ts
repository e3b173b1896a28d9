import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Figure, none } from '../../measurements/report.ts';
import type { Fault } from '../fault.ts';

const script = fileURLToPath(new URL('../../../scripts/test.mjs', import.meta.url));
const times = 5;
const specs = {
  'e2e/hostile-': 'two hundred hostile posts and names, shown and published',
  'e2e/foreign-page': 'pages of other origins',
};

/** Repeats the browser tests of texts that must never execute, so that a rare failure has more chances to occur. */
export const hostileTexts: Fault = {
  name: 'hostile-texts',
  shortFormIn: 'test/e2e/hostile-texts.spec.ts',
  async run() {
    const figures: Figure[] = [];
    for (const [filter, what] of Object.entries(specs)) {
      const runs: Run[] = [];
      for (let i = 0; i < times; i += 1) runs.push(await run(filter));
      figures.push(toFigure(what, runs));
    }
    return figures;
  },
};

interface Run {
  passed: number;
  failed: number;
}

async function run(filter: string): Promise<Run> {
  const child = spawn(process.execPath, [script, filter], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const [, passed = '0', failed = '1'] = /^(\d+) passed, (\d+) failed$/.exec(output.trim().split('\n').at(-1)!) ?? [];
  if (failed !== '0') console.error(output, errors);
  return { passed: Number(passed), failed: Number(failed) };
}

function toFigure(what: string, runs: readonly Run[]): Figure {
  const sum = (key: keyof Run): number => runs.reduce((total, one) => total + one[key], 0);
  const passed = `${sum('passed')} tests passed`;
  const enough = runs.every((one) => one.passed > 0);
  return none(`in Chromium: ${what}, ${times} times`, sum('failed'), 'failed', passed, { enough });
}
