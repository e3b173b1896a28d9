import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';
import { lineOf } from './unit-reporter.mjs';

/** Prints a line per file of browser tests when the last of its tests has ended, and writes the report. */
export default class BrowserReporter {
  #files = new Map();
  #tests = [];
  #notes = [];

  onBegin(_, suite) {
    this.#tests = suite.allTests();
    for (const [file, tests] of Map.groupBy(this.#tests, ({ location }) => location.file)) {
      const path = relative(root, file);
      this.#files.set(file, { file: path, left: tests.length, tests: tests.length, failed: 0, ms: 0 });
    }
  }

  onTestEnd({ location, title, expectedStatus }, { duration, errors, status }) {
    const file = this.#files.get(location.file);
    file.ms += duration;
    file.left -= 1;
    if (status !== expectedStatus) {
      file.failed += 1;
      this.#notes.push([`failed: ${file.file}:${location.line} ${title}`, ...errors.map(textOf)].join('\n'));
    }
    if (file.left === 0) process.stdout.write(lineOf(file));
  }

  /** Outside of the tests: a file that cannot be loaded, for example. */
  onError(error) {
    this.#notes.push(textOf(error));
  }

  /** Tests that did not run count as skipped. */
  onEnd() {
    const count = (...outcomes) => this.#tests.filter((test) => outcomes.includes(test.outcome())).length;
    const counts = { passed: count('expected'), failed: count('unexpected', 'flaky'), skipped: count('skipped') };
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ ...counts, notes: this.#notes }));
  }

  printsToStdio() {
    return true;
  }
}

const textOf = ({ message, snippet, location }) =>
  stripVTControlCharacters(
    [message, snippet, location && `    at ${location.file}:${location.line}`].filter(Boolean).join('\n'),
  );
