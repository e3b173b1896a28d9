import { parseArgs } from 'node:util';
import type { BrokenRule } from './broken-rule.ts';
import { brokenRules } from './broken-rules.ts';
import { CopiedProject } from './copied-project.ts';
import { runTests } from './run-tests.ts';

// Tests are worth what they notice: each rule is broken in a copy of the project, and its test must fail there.

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',').map(Number);
const chosen = brokenRules.filter(({ rule }) => !only || only.includes(rule)).toSorted((a, b) => a.rule - b.rule);

const project = await CopiedProject.make();
const unbroken = new Map<string, Promise<boolean>>();
let unnoticed = 0;
try {
  for (const broken of chosen) {
    const verdict = await judge(broken);
    if (verdict !== 'noticed') unnoticed += 1;
    console.log(`${verdict.padEnd(9)} ${String(broken.rule).padStart(2)}  ${broken.how}  (${broken.test})`);
  }
} finally {
  await project.remove();
}
console.log(`${chosen.length} broken, ${unnoticed} unnoticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

async function judge({ file, from, to, test, name }: BrokenRule): Promise<'noticed' | 'UNNOTICED' | 'NO TEST'> {
  if (!(await passesUnbroken(test, name))) return 'NO TEST';
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
function passesUnbroken(test: string, name: string): Promise<boolean> {
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
