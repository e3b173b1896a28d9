import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { storySteps } from '../../kit/journeys/actions.ts';
import type { StoryBrowser } from '../../kit/journeys/text-browser.ts';
import { firstHour } from '../../kit/journeys/first-hour.ts';
import { openNewWall, openStory } from '../../kit/journeys/open-story.ts';
import { Hang, orHang } from '../../kit/no-hang.ts';
import { startMailServer } from '../../kit/smtp.ts';
import { openWall } from '../support/wall.ts';
import { startChromium } from './chromium.ts';
import type { Driver } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts';
import { openScriptlessDriver, openScriptedDriver } from './story-driver.ts';
import { Screen } from './screen.ts';
import { startTerminal, type terminals } from './terminal.ts';
import { carried } from './walk/archive.ts';
import { controls } from './walk/controls.ts';
import { discussion } from './walk/discussion.ts';
import { faults } from './walk/faults.ts';
import { reading } from './walk/reading.ts';
import { authorName, postText, type Walk, type WalkStep } from './walk/walk.ts';
import { writing } from './walk/writing.ts';
import { startWebKit } from './webkit.ts';

// Runs the same steps in each browser given as name and program: `Firefox=/usr/bin/firefox-esr`.

const start: Record<string, (program: string) => Promise<Driver>> = {
  Chromium: startChromium,
  Firefox: startFirefox,
  WebKit: startWebKit,
};
/** The steps run in this order. */
const steps: readonly WalkStep[] = [...faults, ...reading, ...discussion, ...controls, ...writing, ...carried];
const seededPosts = 40;
const withoutScripts = 'without scripts';
const withScripts = 'with scripts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const only = new RegExp(values.only);
const chosen = steps.filter(({ name }) => only.test(name));
/** `file` is what can run again alone, a story or the walk in one browser: `Firefox: with scripts`. */
const outcomes: Array<{ file: string; title: string; isTest: boolean; error?: string }> = [];

for (const browser of positionals) {
  const [name = '', program = ''] = browser.split('=');
  const began = performance.now();
  const visit = name in start ? walkIn : terminalIn;
  const error = await visit(name, program).catch((failure: Error) => failure);
  outcomes.push({ file: name, title: 'begins and ends', isTest: false, ...(error && { error: error.message }) });
  console.log(`${name}: ${seconds(began)} s`);
}
writeFileSync(process.env['TEST_REPORT']!, JSON.stringify({ outcomes }));
process.exit(outcomes.every(({ error }) => error === undefined) ? 0 : 1);

async function walkIn(browser: string, program: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const mail = stack.adopt(await startMailServer(), (server) => server.close());
  const wall = stack.adopt(await openWall({ SMTP_URL: mail.url, CODE_RESEND_SECONDS: '0' }), (own) => own.close());
  const network = stack.adopt(await startNetworkProxy(wall.url), (own) => own.close());
  const { seed } = wall;
  const author = await seed.person(authorName);
  const written = Array.from({ length: seededPosts }, (_, index) => ({ by: author, text: postText(index + 1) }));
  const posts = await seed.posts(written);
  const name = 'vera_walks';
  const me = { id: await seed.person(name), name, email: `${name}@example.org` };
  const driver = stack.adopt(await start[browser]!(program), (own) => own.quit());
  const walk: Walk = { screen: new Screen(driver, network.url), network, mail, seed, posts, author, me };

  for (const step of chosen) await run(`${browser}: walk`, step.name, () => step.run(walk));

  for (const open of [everything, theFirstHour]) {
    await actStory(browser, withoutScripts, open, (unscripted) => openScriptlessDriver(driver, unscripted.url));
    await actStory(browser, withScripts, open, (scripted) => openScriptedDriver(driver, scripted.url));
  }
}

/** A text browser has no scripts. */
async function terminalIn(name: string, program: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (const story of [everything, theFirstHour]) {
    await actStory(name, withoutScripts, story, async (network) =>
      stack.adopt(await startTerminal(name as keyof typeof terminals, program, network), (own) => own.close()),
    );
  }
}

interface Story extends AsyncDisposable {
  url: string;
  stepsIn(browser: StoryBrowser): ReturnType<typeof storySteps>;
}

/** Everything that a person does. */
async function everything(): Promise<Story> {
  const wall = await openStory('sqlite');
  return { ...wall, stepsIn: (browser) => storySteps(browser, wall.world) };
}

/** From the link that a new wall prints to the first reply of a neighbour. */
async function theFirstHour(): Promise<Story> {
  const wall = await openNewWall('sqlite');
  return { ...wall, stepsIn: (browser) => firstHour(browser, wall.world) };
}

async function actStory(
  name: string,
  kind: string,
  openWorld: () => Promise<Story>,
  open: (network: NetworkProxy) => Promise<StoryBrowser> | StoryBrowser,
): Promise<void> {
  if (!only.test(kind)) return;
  await using stack = new AsyncDisposableStack();
  const plain = stack.use(await openWorld());
  const network = stack.adopt(await startNetworkProxy(plain.url), (own) => own.close());
  if (kind === withoutScripts) network.blockScripts();
  for (const step of plain.stepsIn(await open(network))) {
    // Each step begins where the one before has ended.
    if (!(await run(`${name}: ${kind}`, step.name, step.run))) return;
  }
}

async function run(file: string, title: string, act: () => Promise<void>): Promise<boolean> {
  const began = performance.now();
  const error = await orHang(act()).catch((failure: Error) => failure);
  // Nothing more can be asked of this browser. All its steps run again in a new one.
  if (error instanceof Hang) throw new Error(`${file}: ${title}: ${error.message}`);
  outcomes.push({ file, title, isTest: true, ...(error && { error: error.message }) });
  console.log(`${error ? '✘' : '✓'} ${file}: ${title} (${seconds(began)} s)${error ? `\n    ${error.message}` : ''}`);
  return !error;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
