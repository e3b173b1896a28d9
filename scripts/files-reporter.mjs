import { relative } from 'node:path';
import { isEndOfFileTest } from './counts-reporter.mjs';
import { root } from './project.mjs';

/** Prints a line per file of unit tests when the last of its tests has ended. Files run one after another. */
export default async function* filesReporter(source) {
  let current = null;
  for await (const { type, data } of source) {
    if (!data.file || (type !== 'test:pass' && type !== 'test:fail')) continue;
    const file = relative(root, data.file);
    if (current?.file !== file) {
      if (current) yield lineOf(current);
      current = { file, tests: 0, failed: 0, ms: 0 };
    }
    if (isEndOfFileTest(type, data)) current.ms += data.details.duration_ms;
    if (data.details.type === 'suite') continue;
    current.tests += 1;
    if (type === 'test:fail') current.failed += 1;
  }
  if (current) yield lineOf(current);
}

export function lineOf({ file, tests, failed, ms }) {
  const count = failed > 0 ? `${failed} of ${tests} failed` : `${tests}`;
  return `${failed > 0 ? '✘' : '✔'} ${file} (${count}, ${(ms / 1000).toFixed(1)} s)\n`;
}
