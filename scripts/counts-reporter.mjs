import { relative } from 'node:path';
import { root } from './project.mjs';

/** Reports the counts of the whole run and the tests that failed as JSON. `npm test` adds them up. */
export default async function* countsReporter(source) {
  const failures = [];
  for await (const { type, data } of source) {
    const error = type === 'test:fail' && data.details.error;
    // A suite fails because of its tests, which are reported themselves.
    if (error && error.failureType !== 'subtestsFailed') {
      const file = relative(root, data.file);
      failures.push({ file, what: `${file} ${data.name}\n${error.cause?.message ?? error.message}` });
    }
    if (type === 'test:summary' && data.file === undefined) yield JSON.stringify({ ...data.counts, failures });
  }
}
