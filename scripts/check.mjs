import { text } from 'node:stream/consumers';
import { start } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { pinnedNode } from './project.mjs';

const checks = {
  format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  lint: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  types: ['node_modules/typescript/bin/tsc'],
  unused: ['node_modules/knip/bin/knip.js'],
  callers: ['scripts/callers.mjs'],
};

await ensureInstalled();
const statuses = await Promise.all(Object.entries(checks).map(([name, command]) => check(name, command)));
process.exitCode = statuses.some((status) => status !== 0) ? 1 : 0;

/** Prints the output of a failed check in one piece when it has finished, because checks run concurrently. */
async function check(name, args) {
  const began = performance.now();
  const { child, ended } = start(pinnedNode, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [status, ...outputs] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (status !== 0) console.log(outputs.join('').trimEnd());
  console.log(`${status === 0 ? '✔' : '✘'} ${name} (${seconds} s)`);
  return status;
}
