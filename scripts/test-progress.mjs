import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './project.mjs';

/** The file with the duration of the last passed run of each kind, in milliseconds. */
const file = join(root, 'node_modules/.cache/test-times.json');

function timesBefore() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

const minutes = (ms) => (ms / 60_000).toFixed(1);

/** Prints the progress after each part of a run and, if such a run has passed before, its expected duration. */
export function watchRun(kind, partCount) {
  const before = timesBefore()[kind];
  const began = performance.now();
  const all = before === undefined ? '' : ` of about ${minutes(before)}`;
  let ended = 0;
  const say = () => console.log(`· ${ended} of ${partCount} parts, ${minutes(performance.now() - began)}${all} min`);
  say();
  return {
    async part(run) {
      const result = await run();
      ended += 1;
      say();
      return result;
    },
    passed() {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ ...timesBefore(), [kind]: performance.now() - began }));
    },
  };
}
