import { relative } from 'node:path';
import { root } from './project.mjs';

/** Reports the counts of the whole run, the time of each file and the tests that failed as JSON. `npm test` adds them up. */
export default async function* countsReporter(source) {
  const failures = [];
  const files = {};
  for await (const { type, data } of source) {
    const file = data.file && relative(root, data.file);
    if (isEndOfFileTest(type, data)) files[file] = (files[file] ?? 0) + data.details.duration_ms;
    const error = type === 'test:fail' && data.details.error;
    // A suite fails because of its tests, which are reported themselves.
    if (error && error.failureType !== 'subtestsFailed') {
      failures.push(`${file} ${data.name}\n${error.cause?.message ?? error.message}`);
    }
    if (type === 'test:summary' && data.file === undefined) yield JSON.stringify({ ...data.counts, failures, files });
  }
}

/** Tests and groups at the top of a file: their times add up to that of the file. */
export function isEndOfFileTest(type, { nesting }) {
  return (type === 'test:pass' || type === 'test:fail') && nesting === 0;
}
