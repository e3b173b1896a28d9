import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './project.mjs';

/** Tests that have begun. The event of a test's end names the file that declares the test, which may be a helper. */
const begun = [];
subscribe('tracing:node.test:start', (test) => begun.push(test));

/** Prints a line per file of unit tests when the last of its tests has ended, and writes the report. Files run one after another. */
export default async function* unitReporter(source) {
  const outcomes = [];
  let current = null;
  for await (const { type, data } of source) {
    if (type === 'test:summary' && data.file === undefined) {
      writeFileSync(process.env.TEST_REPORT, JSON.stringify({ outcomes }));
    }
    if (!data.file || (type !== 'test:pass' && type !== 'test:fail')) continue;
    const index = begun.findIndex(({ name, nesting }) => name === data.name && nesting === data.nesting);
    const [{ file: path }] = index < 0 ? [data] : begun.splice(index, 1);
    const file = relative(root, path);
    const { type: kind, duration_ms: ms } = data.details;
    if (current?.file !== file) {
      if (current) yield lineOf(current);
      current = { file, tests: 0, failed: 0, ms: 0 };
    }
    // The times of tests and groups at the top level add up to the time of the file.
    if (data.nesting === 0) current.ms += ms;
    const outcome = { file, title: data.name, isTest: kind !== 'suite', error: failureOf(data) };
    outcomes.push(outcome);
    const failsItself = outcome.error !== undefined;
    if (outcome.isTest || failsItself) current.tests += 1;
    if (failsItself) current.failed += 1;
  }
  if (current) yield lineOf(current);
}

/** The failure of a test, or of a group that cannot begin or end. A group with failed tests has none. A skipped test has failed. */
function failureOf({ skip, todo, details: { error } }) {
  if (error) return error.failureType === 'subtestsFailed' ? undefined : messageOf(error);
  if ((skip ?? false) !== false || (todo ?? false) !== false) return 'It was skipped. That counts as failed.';
  return undefined;
}

/** The messages of an error and of its causes: a failed property test names the fault only in the cause. */
function messageOf(error) {
  const messages = [];
  for (let cause = error.cause ?? error; cause; cause = cause.cause) messages.push(cause.message ?? cause);
  return messages.join('\n');
}

export function lineOf({ file, tests, failed, ms }) {
  const count = failed > 0 ? `${failed} of ${tests} failed` : `${tests}`;
  return `${failed > 0 ? '✘' : '✔'} ${file} (${count}, ${(ms / 1000).toFixed(1)} s)\n`;
}
