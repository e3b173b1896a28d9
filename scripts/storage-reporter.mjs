import { relative } from 'node:path';
import { root } from './project.mjs';

const widest = 160;

/** One line per group of tests: whether it holds and, for each test that fails, the first line of its error. */
export default async function* storageReporter(source) {
  let [holding, failing] = [0, 0];
  let [tests, failures] = [0, []];
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { error } = data.details;
    const isOwnError = error && error.failureType !== 'subtestsFailed';
    // A suite may fail by itself, when it cannot begin or end.
    if (data.details.type !== 'suite' || isOwnError) tests += 1;
    if (isOwnError) failures.push(`${data.name}: ${firstLine(error)}`);
    if (data.nesting > 0 || tests === 0) continue;
    const verdict = failures.length === 0 ? `holds (${tests})` : `FAILS (${failures.length} of ${tests})`;
    yield `${verdict.padEnd(18)} ${relative(root, data.file)}: ${data.name}\n`;
    for (const failure of failures) yield `${' '.repeat(19)}${failure.slice(0, widest)}\n`;
    if (failures.length === 0) holding += 1;
    else failing += 1;
    [tests, failures] = [0, []];
  }
  yield `\n${holding} groups hold, ${failing} fail\n`;
}

/** The innermost cause is what the engine has said. */
const firstLine = ({ cause, message }) => (cause?.message ? firstLine(cause) : message.trim().split('\n', 1)[0]);
