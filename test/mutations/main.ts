import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshDatabase } from '../kit/postgres.ts';
import { accounts } from './accounts.ts';
import { codes } from './codes.ts';
import { features } from './features.ts';
import { moderation } from './moderation.ts';
import { listed, type Mutation } from './mutation.ts';
import { ProjectCopy, root } from './project-copy.ts';
import { requests } from './requests.ts';
import { screens } from './screens.ts';
import { storage } from './storage.ts';

// Applies one mutation at a time to a copy of the project and expects the named test to fail there.

const { values } = parseArgs({
  options: {
    /** Numbers of rules, separated by commas. */
    only: { type: 'string' },
    /** Only verifies that each mutation applies to the current sources and that its test exists. */
    check: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',').map(Number);
const mutations = [codes, accounts, requests, storage, features, moderation, screens]
  .flatMap(listed)
  .filter(({ rule }) => !only || only.includes(rule));

const failed = mutations.flatMap((mutation) => staleness(mutation) ?? []);
if (!values.check && failed.length === 0) failed.push(...(await applyAll()));
for (const line of failed) console.log(line);
if (!values.check) console.log(`${mutations.length} mutations, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
// The PostgreSQL server of the tests ends with this process.
process.exit();

function staleness(mutation: Mutation): string | undefined {
  const { file, from, test, title } = mutation;
  const read = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
  if (read(file).split(from).length !== 2) return described('NO MATCH', mutation);
  return read(test).includes(title) ? undefined : described('NO TEST', mutation);
}

function described(verdict: string, { rule, how, test }: Mutation): string {
  return `${verdict.padEnd(9)} ${String(rule).padStart(3)}  ${how}  (${test})`;
}

async function judge(project: ProjectCopy, mutation: Mutation): Promise<string> {
  try {
    return (await project.notices(mutation)) ? 'noticed' : 'UNNOTICED';
  } catch (error) {
    // The app cannot be built with the change.
    console.error(error);
    return 'ERROR';
  }
}

/** Resolves to the descriptions of those that were not noticed. */
async function applyAll(): Promise<string[]> {
  const { url } = await freshDatabase();
  const project = new ProjectCopy({ ENGINE_URL: new URL('/postgres', url).href });
  const unnoticed: string[] = [];
  try {
    for (const [test, group] of Map.groupBy(mutations, (mutation) => mutation.test)) {
      // A test that fails anyway proves nothing.
      const { passed, lines } = await project.run(test, [...new Set(group.map(({ title }) => title))]);
      if (!passed) console.log(lines.join('\n'));
      for (const mutation of group) {
        const began = performance.now();
        const verdict = passed ? await judge(project, mutation) : 'FAILS ANYWAY';
        const line = described(verdict, mutation);
        console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
        if (verdict !== 'noticed') unnoticed.push(line);
      }
    }
  } finally {
    project.remove();
  }
  return unnoticed;
}
