import { measureAll } from '../figures/measure-all.ts';
import { Servers } from '../figures/servers.ts';
import { deepPage, depth, jump, memory, wallSize } from './growth.ts';
import { firstPaint } from './first-paint.ts';
import { liveReaders } from './live-readers.ts';
import { manyStreams } from './many-streams.ts';
import { mixedLoad } from './mixed-load.ts';
import { pageWeight } from './page-weight.ts';
import { feedHtml, feedJson, onePost, onePostZipf, randomCursor, signedInFeed } from './reading.ts';
import { anewHtml } from './anew-html.ts';
import { search, searchPostgres } from './search.ts';
import { replyDepth, threadHtml, threadJson, threadSize, threadUncached } from './threads.ts';
import { signInStart } from './sign-in-start.ts';
import { durableWrites, feedUnderWrites, likes, publish } from './writing.ts';

const scenarios = [
  pageWeight,
  firstPaint,
  feedJson,
  feedHtml,
  onePost,
  onePostZipf,
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
  anewHtml,
  liveReaders,
  manyStreams,
  wallSize,
  depth,
  deepPage,
  jump,
  search,
  searchPostgres,
  mixedLoad,
  memory,
];
await using servers = new Servers();
const measured = scenarios.map(({ name, measure }) => ({
  name,
  measure: ({ seconds }: { seconds: number }) => measure({ servers, seconds }),
}));
await measureAll('bench', measured, 2);
