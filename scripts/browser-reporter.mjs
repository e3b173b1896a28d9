import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';
import { lineOf } from './unit-reporter.mjs';

/** Prints a line per file of browser tests when the last of its tests has ended, and writes the report. */
export default class BrowserReporter {
  #files = new Map();
  #tests = [];
  #errors = [];

  onBegin(_, suite) {
    this.#tests = suite.allTests();
    for (const { location } of this.#tests) {
      const file = this.#files.get(location.file) ?? {
        file: relative(root, location.file),
        left: 0,
        tests: 0,
        failed: 0,
        ms: 0,
      };
      file.left += 1;
      file.tests += 1;
      this.#files.set(location.file, file);
    }
  }

  onTestEnd(test, { duration }) {
    const file = this.#files.get(test.location.file);
    file.ms += duration;
    file.left -= 1;
    if (errorOf(test) !== undefined) file.failed += 1;
    if (file.left === 0) process.stdout.write(lineOf(file));
  }

  /** Called for errors outside of tests, such as a file that cannot be loaded. */
  onError(error) {
    this.#errors.push(textOf(error));
  }

  onEnd() {
    const outcomes = this.#tests.map((test) => ({
      file: relative(root, test.location.file),
      title: test.titlePath().slice(3).join(' › '),
      isTest: true,
      error: errorOf(test),
    }));
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ outcomes, errors: this.#errors }));
  }

  printsToStdio() {
    return true;
  }
}

/** The error of a test. A test that does not run counts as failed. */
function errorOf({ expectedStatus, results: [result] }) {
  if (!result || result.status === 'skipped') return 'It did not run. That counts as failed.';
  if (result.status === expectedStatus) return undefined;
  return result.errors.map(textOf).join('\n') || `It ended as ${result.status}.`;
}

const textOf = ({ message, snippet, location }) =>
  stripVTControlCharacters(
    [message, snippet, location && `    at ${location.file}:${location.line}`].filter(Boolean).join('\n'),
  );
