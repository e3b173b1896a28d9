import { readFileSync } from 'node:fs';

/** A runner's own report; an empty one if it ended before writing it. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

const slowest = 10;

/**
 * The verdict of a part of the run. Skipped tests count as failed, as does a part without tests or with a bad exit status.
 * `notes` are the tests that failed with their causes; `files` are the times of the test files in milliseconds.
 */
export function verdict(name, status, { passed = 0, failed = 0, ...leftOut }, { notes = [], files = {}, began }) {
  const part = { name, notes, files, ms: performance.now() - began };
  let failures = failed;
  for (const [kind, count] of Object.entries(leftOut)) {
    if (!count) continue;
    console.error(`${count} of the ${name}: ${kind}. That counts as failed.`);
    failures += count;
  }
  if (passed + failures === 0) console.error(`No ${name} ran.`);
  else if (status !== 0 && failures === 0) console.error(`The ${name} ended with status ${status}.`);
  else return { ...part, passed, failed: failures };
  return { ...part, passed, failed: 1 };
}

/** Prints what failed, the slowest files, the time of each part and the counts. Returns the number of failures. */
export function printSummary(parts) {
  for (const note of parts.flatMap(({ notes }) => notes)) console.log(`\n${note}`);
  const files = parts.flatMap((part) => Object.entries(part.files)).toSorted(([, a], [, b]) => b - a);
  console.log('\nThe slowest files:');
  for (const [file, ms] of files.slice(0, slowest)) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  for (const { name, ms } of parts) console.log(`${(ms / 60_000).toFixed(1).padStart(5)} min  ${name}`);
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed');
}
