import { measureAll } from '../measurements/measure-all.ts';
import { Servers } from '../measurements/servers.ts';
import { firstPaint, pageWeight } from './first-visit.ts';
import { deepPage, depth, memory, wallSize } from './growth.ts';
import { liveReaders, manyStreams } from './live-streams.ts';
import { mixedLoad } from './mixed-load.ts';
import {
  discussedJson,
  discussedUncached,
  feedHtml,
  feedJson,
  onePost,
  randomCursor,
  signedInFeed,
  threadHtml,
  threadJson,
  threadUncached,
} from './reading.ts';
import type { Scenario } from './rounds.ts';
import { search, searchPostgres } from './search.ts';
import { durableWrites, feedUnderWrites, likes, publish, replyDepth } from './writing.ts';

const scenarios: readonly Scenario[] = [
  pageWeight,
  firstPaint,
  feedJson,
  feedHtml,
  onePost,
  randomCursor,
  discussedJson,
  discussedUncached,
  signedInFeed,
  threadJson,
  threadHtml,
  threadUncached,
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
  search,
  searchPostgres,
  mixedLoad,
  memory,
];

await using servers = new Servers();
const measured = scenarios.map(({ name, measure }) => ({
  name,
  measure: (seconds: number) => measure({ servers, seconds }),
}));
await measureAll('bench', measured, 2);
