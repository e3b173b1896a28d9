import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { plainSteps } from '../../kit/plain/actions.ts';
import type { PlainBrowser } from '../../kit/plain/text-browser.ts';
import { openPlain } from '../../kit/plain/open-plain.ts';
import { startMailServer } from '../../kit/smtp.ts';
import { openWall } from '../support/wall.ts';
import { startChromium } from './chromium.ts';
import type { Driver } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts';
import { openPlainDriver } from './plain-driver.ts';
import { Screen } from './screen.ts';
import { startTerminal, type terminals } from './terminal.ts';
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
const withoutScripts = 'without scripts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, report: { type: 'string' } },
});
const only = new RegExp(values.only);
const chosen = steps.filter(({ name }) => only.test(name));
const report = { passed: 0, failed: 0, notes: [] as string[] };

for (const browser of positionals) {
  const [name = '', program = ''] = browser.split('=');
  const began = performance.now();
  const visit = name in start ? walkIn : terminalIn;
  await visit(name, program).catch((error: Error) => failed(name, error));
  console.log(`${name}: ${seconds(began)} s`);
}
if (values.report) writeFileSync(values.report, JSON.stringify(report));
process.exit(report.failed === 0 ? 0 : 1);

async function walkIn(browser: string, program: string): Promise<void> {
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

  for (const step of chosen) await run(browser, step.name, () => step.run(walk));

  await actPlainly(browser, (unscripted) => openPlainDriver(driver, unscripted.url));
}

/** A text browser has no scripts. */
async function terminalIn(name: string, program: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  await actPlainly(name, async (network) =>
    stack.adopt(await startTerminal(name as keyof typeof terminals, program, network), (own) => own.close()),
  );
}

/** Everything that a person does, without scripts. */
async function actPlainly(
  name: string,
  open: (network: NetworkProxy) => Promise<PlainBrowser> | PlainBrowser,
): Promise<void> {
  if (!only.test(withoutScripts)) return;
  await using stack = new AsyncDisposableStack();
  const plain = stack.use(await openPlain('sqlite'));
  const network = stack.adopt(await startNetworkProxy(plain.url), (own) => own.close());
  network.blockScripts();
  for (const step of plainSteps(await open(network), plain.world)) {
    // Each step begins where the one before has ended.
    if (!(await run(name, `${withoutScripts}: ${step.name}`, step.run))) return;
  }
}

async function run(browser: string, name: string, act: () => Promise<void>): Promise<boolean> {
  const began = performance.now();
  const error = await act().catch((failure: Error) => failure);
  const what = `${browser}: ${name} (${seconds(began)} s)`;
  if (error) failed(what, error);
  else passed(what);
  return !error;
}

function passed(what: string): void {
  report.passed += 1;
  console.log(`✓ ${what}`);
}

function failed(what: string, error: Error): void {
  report.failed += 1;
  report.notes.push(`failed: ${what}\n${error.message}`);
  console.log(`✘ ${what}\n    ${error.message}`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
