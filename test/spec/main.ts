import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { orHang } from '../kit/no-hang.ts';
import { httpJourneys } from './journeys/http.ts';
import { asking } from './journeys/asking.ts';
import { leaving, moving, naming } from './journeys/account.ts';
import { authorizing, registering } from './journeys/entering.ts';
import { standing, telling, waiting } from './journeys/measuring.ts';
import { scrolling } from './journeys/scrolling.ts';
import { judging, replying, switching } from './journeys/talking.ts';
import { frame, reading } from './journeys/visiting.ts';
import { changing, emptyLists, publishing } from './journeys/writing.ts';
import { Ledger } from './ledger.ts';
import type { Place } from './line.ts';
import { openScene, type Scene } from './scene.ts';
import { openWall } from './wall.ts';

// Reads the specification: every line must be proven in the browser or over HTTP.

/** In the order of a visit: arriving, using the wall, leaving. */
const screenJourneys: ReadonlyArray<(scene: Scene) => Promise<void>> = [
  reading,
  frame,
  scrolling,
  asking,
  telling,
  registering,
  authorizing,
  waiting,
  emptyLists,
  publishing,
  changing,
  replying,
  judging,
  switching,
  standing,
  naming,
  moving,
  leaving,
];

const ledger = new Ledger();
// A journey that fails leaves promises behind which reject later. Its failure is recorded already.
process.on('unhandledRejection', () => {});
const journeys: Array<{ title: string; error?: string }> = [];

{
  await using wall = await openWall();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM']!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const onScreen = async (place: 'phone' | 'desk'): Promise<void> => {
    const scene = await openScene({ browser, wall, place, check: ledger.checkIn(place) });
    for (const journey of screenJourneys) await run(place, journey.name, () => journey(scene));
  };
  const overHttp = async (): Promise<void> => {
    const check = ledger.checkIn('HTTP');
    for (const journey of httpJourneys) await run('HTTP', journey.name, () => journey(wall, check));
  };
  await Promise.all([onScreen('phone'), onScreen('desk'), overHttp()]);
  await browser.close();
}

const lines = ledger.outcomes();
const outcomes = [
  ...lines.map((line) => ({ ...line, isTest: true })),
  ...journeys.map((journey) => ({ ...journey, isTest: false })),
].map((outcome) => ({ file: 'test/spec/main.ts', ...outcome }));
writeFileSync(process.env['TEST_REPORT']!, JSON.stringify({ outcomes }));
console.log(`${lines.filter(({ error }) => error === undefined).length} lines of the specification hold`);
process.exitCode = outcomes.every(({ error }) => error === undefined) ? 0 : 1;

async function run(place: Place, name: string, journey: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const failure = await orHang(journey()).catch((error: Error) => error);
  journeys.push({ title: `${place}: ${name}`, ...(failure && { error: `It broke off: ${failure.stack}` }) });
  console.log(`${place}: ${name} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
}
