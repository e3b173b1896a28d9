import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Each call that changes something is made by one module of the web app. Prints those that are not. */
const files = execFileSync('git', ['ls-files', 'contract', 'web'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file));
const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const declared = /'((?:POST|PUT|PATCH|DELETE) \/[^']*)': call\(/g;

const calls = sources.flatMap(({ text }) => [...text.matchAll(declared)].map(([, call]) => call));
const pages = sources.filter(({ file }) => file.startsWith('web/'));
const wrong = calls.flatMap((call) => {
  const callers = pages.filter(({ text }) => text.includes(`'${call}'`)).map(({ file }) => file);
  return callers.length > 1 ? [`${call} is made by ${callers.join(' and ')}`] : [];
});
if (calls.length === 0) wrong.push('No call was found.');
console.log(wrong.join('\n'));
process.exitCode = wrong.length > 0 ? 1 : 0;
