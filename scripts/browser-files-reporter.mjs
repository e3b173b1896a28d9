import { relative } from 'node:path';
import { lineOf } from './files-reporter.mjs';
import { root } from './project.mjs';

/** Prints a line per file of browser tests when the last of its tests has ended. */
export default class BrowserFilesReporter {
  #files = new Map();

  onBegin(_, suite) {
    for (const { location } of suite.allTests()) {
      const file = this.#files.get(location.file) ?? { left: 0, tests: 0, failed: 0, ms: 0 };
      this.#files.set(location.file, { ...file, left: file.left + 1, tests: file.tests + 1 });
    }
  }

  onTestEnd(test, { duration, status }) {
    const file = this.#files.get(test.location.file);
    file.ms += duration;
    file.left -= 1;
    if (status !== test.expectedStatus) file.failed += 1;
    if (file.left === 0) process.stdout.write(lineOf({ ...file, file: relative(root, test.location.file) }));
  }

  printsToStdio() {
    return true;
  }
}
