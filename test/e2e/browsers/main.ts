import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startMailServer } from '../../kit/smtp.ts';
import { openWall } from '../support/wall.ts';
import { startChromium } from './chromium.ts';
import type { Driver } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { startNetworkProxy } from './network-proxy.ts';
import { Screen } from './screen.ts';
import { steps } from './walk/steps.ts';
import { authorName, postText, type Walk } from './walk/walk.ts';
import { startWebKit } from './webkit.ts';

// Runs the same steps in each browser given as name and program: `Firefox=/usr/bin/firefox-esr`.

const start: Record<string, (program: string) => Promise<Driver>> = {
  Chromium: startChromium,
  Firefox: startFirefox,
  WebKit: startWebKit,
};
const seededPosts = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, report: { type: 'string' } },
});
const only = new RegExp(values.only);
const chosen = steps.filter(({ name }) => only.test(name));
const report = { passed: 0, failed: 0, notes: [] as string[] };

for (const browser of positionals) {
  const [name = '', program = ''] = browser.split('=');
  const first = await walkOnce(name, program);
  if (first.failures.length === 0) {
    report.passed += first.passed;
    continue;
  }
  // A busy machine may pause for seconds. The report names the steps that passed only at the second try.
  const second = await walkOnce(name, program);
  const outcome = second.failures.length === 0 ? 'passed at the second try' : 'failed';
  report.passed += second.passed;
  report.failed += second.failures.length;
  report.notes.push(...[...first.failures, ...second.failures].map((failure) => `${outcome}: ${failure}`));
}
if (values.report) writeFileSync(values.report, JSON.stringify(report));
process.exit(report.failed === 0 ? 0 : 1);

interface Outcome {
  passed: number;
  failures: string[];
}

async function walkOnce(browser: string, program: string): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failures: [] };
  const began = performance.now();
  try {
    await walkIn(browser, program, outcome);
  } catch (error) {
    failed(outcome, browser, error as Error);
  }
  console.log(`${browser}: ${seconds(began)} s`);
  return outcome;
}

async function walkIn(browser: string, program: string, outcome: Outcome): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const mail = stack.adopt(await startMailServer(), (server) => server.close());
  const wall = stack.adopt(await openWall({ SMTP_URL: mail.url, CODE_RESEND_SECONDS: '0' }), (own) => own.close());
  const network = stack.adopt(await startNetworkProxy(wall.url), (own) => own.close());
  const { seed, admin } = wall;
  const author = await seed.person(authorName);
  const written = Array.from({ length: seededPosts }, (_, index) => ({ by: author, text: postText(index + 1) }));
  const posts = await seed.posts(written);
  const name = 'vera_walks';
  const me = { id: await seed.person(name), name, email: `${name}@example.org` };
  const driver = stack.adopt(await start[browser]!(program), (own) => own.quit());
  const walk: Walk = { screen: new Screen(driver, network.url), network, mail, seed, admin, posts, author, me };

  for (const step of chosen) {
    const began = performance.now();
    const error = await step.run(walk).catch((failure: Error) => failure);
    const what = `${browser}: ${step.name} (${seconds(began)} s)`;
    if (error) failed(outcome, what, error);
    else passed(outcome, what);
  }
}

function passed(outcome: Outcome, what: string): void {
  outcome.passed += 1;
  console.log(`✓ ${what}`);
}

function failed({ failures }: Outcome, what: string, error: Error): void {
  failures.push(`${what}\n${error.message}`);
  console.log(`✘ ${what}\n    ${error.message}`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
