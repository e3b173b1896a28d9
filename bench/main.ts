import { parseArgs } from 'node:util';
import { report } from './report.ts';
import type { Figure, Scenario } from './scenario.ts';
import { feedHtml, feedJson, onePost, randomCursor } from './scenarios/against-raw.ts';
import { deepPage } from './scenarios/deep-page.ts';
import { durableWrites } from './scenarios/durable-writes.ts';
import { depth, wallSize } from './scenarios/growth.ts';
import { memory } from './scenarios/memory.ts';
import { pageWeight } from './scenarios/page-weight.ts';
import { signInStart } from './scenarios/sign-in-start.ts';
import { signedInFeed } from './scenarios/signed-in-feed.ts';
import { feedUnderWrites, likes, publish } from './scenarios/writing.ts';
import { liveReaders } from './scenarios/live-readers.ts';
import { Servers } from './servers/servers.ts';

/** Memory comes after everything else that its server has to do. */
const scenarios = [
  pageWeight,
  feedJson,
  feedHtml,
  onePost,
  randomCursor,
  signedInFeed,
  signInStart,
  durableWrites,
  publish,
  likes,
  feedUnderWrites,
  liveReaders,
  wallSize,
  depth,
  deepPage,
  memory,
];
const names = scenarios.map(({ name }) => name);
const usage = `npm run bench -- [--only ${names.join(',')}] [--seconds 2]`;

const { chosen, seconds } = settings();
const servers = new Servers();
const figures: Figure[] = [];
try {
  for (const { name, measure } of chosen) {
    console.error(`${name}…`);
    figures.push(...(await measure({ servers, seconds })));
  }
} finally {
  await servers.stop();
}
console.log(report(figures));

function settings(): { chosen: Scenario[]; seconds: number } {
  const { values } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string', default: '2' } } });
  const only = values.only?.split(',') ?? names;
  const rounds = Number(values.seconds);
  if (!only.every((name) => names.includes(name)) || !(rounds > 0)) {
    console.error(usage);
    process.exit(1);
  }
  return { chosen: scenarios.filter(({ name }) => only.includes(name)), seconds: rounds };
}
