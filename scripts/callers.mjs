import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Checks that each call that changes something is made by at most one module of the web app. Prints the other calls.
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'contract', 'web'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file));
const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
/** Declarations of calls: in the tables of calls, and as `path` in the table of keepers' acts. */
const declared = /'((?:POST|PUT|PATCH|DELETE) \/[^']*)': call\(|path: '((?:POST|PUT|PATCH|DELETE) \/[^']*)'/g;
/** This module makes the calls of all keepers' acts that have `form` in their row of the table. */
const forms = 'web/features/moderation/keeper-forms.ts';

const callsIn = (text) => [...text.matchAll(declared)].map(([, call, act]) => call ?? act);
const calls = sources.flatMap(({ text }) => callsIn(text));
const rows = sources.flatMap(({ text }) => text.split(/^ {2}\S+: \{$/m));
const formed = new Set(rows.filter((row) => /^ {4}form: /m.test(row)).flatMap(callsIn));
const pages = sources.filter(({ file }) => file.startsWith('web/'));
const wrong = calls.flatMap((call) => {
  const naming = pages.filter(({ text }) => text.includes(`'${call}'`)).map(({ file }) => file);
  const callers = [...naming, ...(formed.has(call) ? [forms] : [])];
  return callers.length > 1 ? [`${call} is made by ${callers.join(' and ')}`] : [];
});
if (calls.length === 0) wrong.push('No call was found.');
console.log(wrong.join('\n'));
process.exitCode = wrong.length > 0 ? 1 : 0;
