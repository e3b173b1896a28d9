import { parseArgs } from 'node:util';
import { multiplied } from '../figures/large-walls.ts';
import { type Figure, report } from '../figures/report.ts';
import { Servers } from '../figures/servers.ts';
import { deepPage, depth, jump, memory, wallSize } from './growth.ts';
import { largeWall, largeWallPostgres } from './large-wall.ts';
import { liveReaders } from './live-readers.ts';
import { pageWeight } from './page-weight.ts';
import { feedHtml, feedJson, onePost, randomCursor, signedInFeed } from './reading.ts';
import type { Bench, Scenario } from './scenario.ts';
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
  wallSize,
  depth,
  deepPage,
  jump,
  search,
  searchPostgres,
  memory,
];
/** Their walls take minutes to fill, so they run only when they are named. */
const onRequest = [largeWall, largeWallPostgres];
const namesOf = (some: readonly Scenario[]): string[] => some.map(({ name }) => name);
const names = namesOf([...scenarios, ...onRequest]);
const usage = `npm run bench -- [--only ${names.join(',')}] [--seconds 2] [--posts 10000000]
--posts: posts of the wall of ${namesOf(onRequest).join(' and ')}, which run only when they are named; whole millions`;

const { chosen, ...settings } = readSettings();
await using servers = new Servers();
const figures: Figure[] = [];
for (const { name, measure } of chosen) {
  console.error(`${name}…`);
  figures.push(...(await measure({ servers, ...settings })));
}
console.log(report(figures));

function readSettings(): { chosen: Scenario[] } & Omit<Bench, 'servers'> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      posts: { type: 'string', default: '10000000' },
    },
  });
  const only = values.only?.split(',') ?? namesOf(scenarios);
  const seconds = Number(values.seconds);
  const copies = Number(values.posts) / multiplied;
  if (!only.every((name) => names.includes(name)) || !(seconds > 0) || !Number.isInteger(copies) || copies < 1) {
    console.error(usage);
    process.exit(1);
  }
  return { chosen: [...scenarios, ...onRequest].filter(({ name }) => only.includes(name)), seconds, copies };
}
