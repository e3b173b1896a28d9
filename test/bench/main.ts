import { measureAll } from '../measurements/measure-all.ts';
import { multiplied } from '../measurements/large-walls.ts';
import { Servers } from '../measurements/servers.ts';
import { moderatorsActs } from './acts.ts';
import { closedWall } from './closed-wall.ts';
import { deepPage, depth, jump, memory, wallSize } from './growth.ts';
import { firstPaint } from './first-paint.ts';
import { importing } from './importing.ts';
import { largeWall, largeWallPostgres } from './large-wall.ts';
import { liveReaders } from './live-readers.ts';
import { manyStreams } from './many-streams.ts';
import { mixedLoad } from './mixed-load.ts';
import { pageWeight } from './page-weight.ts';
import {
  discussedJson,
  discussedUncached,
  feedHtml,
  feedJson,
  onePost,
  onePostZipf,
  randomCursor,
  signedInFeed,
} from './reading.ts';
import { anewHtml } from './anew-html.ts';
import { search, searchFlood, searchPostgres } from './search.ts';
import { replyDepth, threadHtml, threadJson, threadSize, threadUncached } from './threads.ts';
import { signInStart } from './sign-in-start.ts';
import { fourProcesses } from './four-processes.ts';
import { tail } from './tail.ts';
import { durableWrites, feedUnderWrites, likes, publish } from './writing.ts';

const scenarios = [
  pageWeight,
  firstPaint,
  feedJson,
  feedHtml,
  onePost,
  onePostZipf,
  randomCursor,
  discussedJson,
  discussedUncached,
  signedInFeed,
  closedWall,
  threadJson,
  threadHtml,
  threadUncached,
  threadSize,
  signInStart,
  durableWrites,
  publish,
  likes,
  fourProcesses,
  replyDepth,
  feedUnderWrites,
  anewHtml,
  liveReaders,
  manyStreams,
  wallSize,
  depth,
  deepPage,
  jump,
  search,
  searchPostgres,
  searchFlood,
  tail,
  mixedLoad,
  memory,
];
/** Their walls take minutes to fill. `--posts` is their size, rounded to millions. */
const whenNamed = [importing, moderatorsActs, largeWall, largeWallPostgres];

await using servers = new Servers();
const measured = [...scenarios, ...whenNamed].map((scenario) => ({
  name: scenario.name,
  onlyWhenNamed: whenNamed.includes(scenario),
  measure: ({ seconds, posts }: { seconds: number; posts: number }) =>
    scenario.measure({ servers, seconds, copies: Math.max(1, Math.round(posts / multiplied)) }),
}));
await measureAll('bench', measured, { seconds: 2, posts: 10 * multiplied });
