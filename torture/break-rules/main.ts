import { parseArgs } from 'node:util';
import type { BrokenRule } from './broken-rule.ts';
import { brokenRules } from './broken-rules.ts';
import { appliesTo, CopiedProject, readSource } from './copied-project.ts';
import { runTests } from './run-tests.ts';

// Tests are worth what they notice: each rule is broken in a copy of the project, and its test must fail there.

const { values } = parseArgs({
  options: {
    /** Numbers of rules, separated by commas. */
    only: { type: 'string' },
    /** Only verifies that each entry applies to the current sources. */
    check: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',').map(Number);
const chosen = brokenRules.filter(({ rule }) => !only || only.includes(rule)).toSorted((a, b) => a.rule - b.rule);

const failed = values.check ? reportStale() : await breakAll();
process.exitCode = failed === 0 ? 0 : 1;

/** Prints the entries that do not apply; returns how many there are. */
function reportStale(): number {
  const stale = chosen.filter(({ file, from }) => !appliesTo(readSource(file), from));
  for (const broken of stale) report('NO MATCH', broken);
  return stale.length;
}

/** Breaks each rule in turn; resolves to how many entries failed. */
async function breakAll(): Promise<number> {
  const project = await CopiedProject.make();
  const unbroken = new Map<string, Promise<boolean>>();
  let unnoticed = 0;
  try {
    for (const broken of chosen) {
      const verdict = await judge(project, unbroken, broken);
      if (verdict !== 'noticed') unnoticed += 1;
      report(verdict, broken);
    }
  } finally {
    await project.remove();
  }
  console.log(`${chosen.length} broken, ${unnoticed} unnoticed`);
  return unnoticed;
}

function report(verdict: string, { rule, how, test }: BrokenRule): void {
  console.log(`${verdict.padEnd(9)} ${String(rule).padStart(2)}  ${how}  (${test})`);
}

async function judge(
  project: CopiedProject,
  unbroken: Map<string, Promise<boolean>>,
  { file, from, to, test, name }: BrokenRule,
): Promise<'noticed' | 'UNNOTICED' | 'NO TEST' | 'NO MATCH'> {
  if (!appliesTo(readSource(file), from)) return 'NO MATCH';
  if (!(await passesUnbroken(project, unbroken, test, name))) return 'NO TEST';
  const isBuilt = file.startsWith('web/');
  const mend = project.change(file, from, to);
  try {
    if (isBuilt) await project.build();
    return (await runTests(project.folder, test, name)).seenFailing ? 'noticed' : 'UNNOTICED';
  } finally {
    mend();
    if (isBuilt) await project.build();
  }
}

/** A test that fails anyway, or is not there, says nothing. */
function passesUnbroken(
  project: CopiedProject,
  unbroken: Map<string, Promise<boolean>>,
  test: string,
  name: string,
): Promise<boolean> {
  const key = `${test} ${name}`;
  let passes = unbroken.get(key);
  if (!passes) {
    passes = runTests(project.folder, test, name).then(({ passed, output }) => {
      if (!passed) console.error(output);
      return passed;
    });
    unbroken.set(key, passes);
  }
  return passes;
}
