/** If more files have failures, something is broken, and second runs would only take time. */
const mostFailingFiles = 20;
/** A run with more wavering tests than this has failed: one of its second runs may have passed by chance. */
const mostWavering = 10;
/** A test that fails this many times, at last alone on a quiet machine, has failed. */
const mostTries = 3;

/**
 * Judges the parts of a run after all of them have ended. A part whose process ended badly runs again, whole and once. Then every
 * file with a failure runs again, alone and at most twice. A test that passes there has wavered: it counts as passed, and is
 * reported.
 */
export async function judge(parts) {
  const tests = new Map();
  const first = parts.flatMap((part) => record(tests, part, 1));
  if (filesIn(first).length > mostFailingFiles) {
    const problem = `More than ${mostFailingFiles} files failed, so none ran again.`;
    return { ...count(tests), problem };
  }
  const isWhole = ({ file, part }) => file === part.name;
  const failing = first.filter((failure) => !isWhole(failure));
  for (const { part } of first.filter(isWhole)) {
    console.log(`\nAgain: ${part.name}`);
    failing.push(...record(tests, await part.again(), 2).filter((failure) => !isWhole(failure)));
  }
  for (const file of filesIn(failing)) {
    let left = failing.filter((failure) => failure.file === file);
    for (let attempt = 2; attempt <= mostTries && left.length > 0; attempt += 1) {
      console.log(`\nAgain, alone: ${file}`);
      const titles = left.map(({ title }) => title);
      left = record(tests, await left[0].part.again(file, titles), attempt);
    }
  }
  return count(tests);
}

const filesIn = (failures) => [...new Set(failures.map(({ file }) => file))];

/** Adds the outcomes of a part to the tests. Returns the failures. */
function record(tests, part, attempt) {
  const failures = part.outcomes.filter(({ error }) => error !== undefined);
  const counts = new Map();
  for (const { file, title, error, isTest } of part.outcomes) {
    const name = `${file} · ${title}`;
    const test = tests.get(name) ?? { name, count: 0, errors: [] };
    tests.set(name, test);
    // Tests with the same name, for example in two groups, pass and fail together.
    counts.set(name, (counts.get(name) ?? 0) + (isTest ? 1 : 0));
    test.count = Math.max(test.count, counts.get(name));
    if (error !== undefined) test.errors.push(error);
    else if (!failures.some((failure) => failure.file === file && failure.title === title)) test.passedAt ??= attempt;
  }
  return failures.map((failure) => ({ ...failure, part }));
}

function count(tests) {
  const all = [...tests.values()];
  const failed = all.filter(({ passedAt }) => passedAt === undefined);
  const wavered = all.filter(({ passedAt, errors }) => passedAt !== undefined && errors.length > 0);
  const passed = all.reduce((sum, test) => sum + (test.passedAt === undefined ? 0 : test.count), 0);
  const problem =
    wavered.length > mostWavering ? `More than ${mostWavering} tests wavered: that fails the run.` : undefined;
  return { passed, failed, wavered, problem };
}

/** Prints what failed, the time of each part and, at the end, the wavering tests and the counts. Returns the exit status. */
export function printSummary(parts, { passed, failed, wavered, problem }, leftOut) {
  for (const { name, errors } of failed) console.log(`\nfailed: ${name}\n${errors[0]}`);
  for (const { name, errors } of wavered) console.log(`\nfailed at first: ${name}\n${errors[0]}`);
  console.log();
  for (const { name, ms } of parts) console.log(`${(ms / 60_000).toFixed(1).padStart(5)} min  ${name}`);
  for (const line of [leftOut, problem]) if (line) console.log(line);
  for (const { name, passedAt, errors } of wavered) {
    console.log(`wavered: ${name} (passed at try ${passedAt}) · ${errors[0].split('\n')[0]}`);
  }
  const failures = failed.reduce((sum, test) => sum + Math.max(1, test.count), 0);
  console.log(`wavered ${wavered.length}`);
  console.log(`${passed} passed, ${failures} failed`);
  return failures > 0 || problem ? 1 : 0;
}
