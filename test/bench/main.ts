import { parseArgs } from 'node:util';
import { type Figure, report } from '../figures/report.ts';
import { Servers } from '../figures/servers.ts';
import { deepPage, depth, jump, memory, wallSize } from './growth.ts';
import { liveReaders } from './live-readers.ts';
import { manyStreams } from './many-streams.ts';
import { pageWeight } from './page-weight.ts';
import { feedHtml, feedJson, onePost, randomCursor, signedInFeed } from './reading.ts';
import type { Scenario } from './scenario.ts';
import { search, searchPostgres } from './search.ts';
import { replyDepth, threadHtml, threadJson, threadSize, threadUncached } from './threads.ts';
import { signInStart } from './sign-in-start.ts';
import { durableWrites, feedUnderWrites, likes, publish } from './writing.ts';

const scenarios = [
  pageWeight,
  feedJson,
  feedHtml,
  onePost,
  randomCursor,
  signedInFeed,
  threadJson,
  threadHtml,
  threadUncached,
  threadSize,
  signInStart,
  durableWrites,
  publish,
  likes,
  replyDepth,
  feedUnderWrites,
  liveReaders,
  manyStreams,
  wallSize,
  depth,
  deepPage,
  jump,
  search,
  searchPostgres,
  memory,
];
const names = scenarios.map(({ name }) => name);
const usage = `npm run bench -- [--only ${names.join(',')}] [--seconds 2]`;

const { chosen, seconds } = settings();
await using servers = new Servers();
const figures: Figure[] = [];
for (const { name, measure } of chosen) {
  console.error(`${name}…`);
  figures.push(...(await measure({ servers, seconds })));
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
