import { readFileSync } from 'node:fs';

/** A runner's own report; an empty one if it ended before writing it. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * The verdict of a run. Skipped tests count as failed, as does a run without tests or with a bad exit status. `notes`
 * tell which tests failed; `npm test` repeats them at its end.
 */
export function verdict(name, status, { passed = 0, failed = 0, ...leftOut }, notes = []) {
  let failures = failed;
  for (const [kind, count] of Object.entries(leftOut)) {
    if (!count) continue;
    console.error(`${count} of the ${name}: ${kind}. That counts as failed.`);
    failures += count;
  }
  if (passed + failures === 0) console.error(`No ${name} ran.`);
  else if (status !== 0 && failures === 0) console.error(`The ${name} ended with status ${status}.`);
  else return { passed, failed: failures, notes };
  return { passed, failed: 1, notes };
}
