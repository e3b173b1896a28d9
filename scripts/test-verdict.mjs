import { readFileSync } from 'node:fs';

/** A runner's own report; an empty one if it ended before writing it. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** What a run comes to: tests left out count as failed, and so does a run without tests or with a bad end. */
export function verdict(name, status, { passed = 0, failed = 0, ...leftOut }) {
  let failures = failed;
  for (const [kind, count] of Object.entries(leftOut)) {
    if (!count) continue;
    console.error(`${count} of the ${name}: ${kind}. That counts as failed.`);
    failures += count;
  }
  if (passed + failures === 0) console.error(`No ${name} ran.`);
  else if (status !== 0 && failures === 0) console.error(`The ${name} ended with status ${status}.`);
  else return { passed, failed: failures };
  return { passed, failed: 1 };
}
