import { parseArgs } from 'node:util';
import { measureAll } from '../measurements/measure-all.ts';
import { Servers } from '../measurements/servers.ts';
import { measureAgainst, rowNames } from './against.ts';
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

if (process.argv.includes('--against')) await compare();
else await measure();

async function measure(): Promise<void> {
  await using servers = new Servers();
  const measured = scenarios.map((scenario) => ({
    name: scenario.name,
    measure: (seconds: number) => scenario.measure({ servers, seconds }),
  }));
  await measureAll('bench', measured, 2);
}

async function compare(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { against: text, only: text, seconds: text } });
  const { against, only = rowNames.join(), seconds = '1' } = values;
  const names = only.split(',');
  const unknown = names.find((name) => !rowNames.includes(name));
  if (against && !unknown && Number(seconds) > 0) {
    console.log(await measureAgainst(against, names, Number(seconds)));
  } else {
    console.error(`npm run bench -- --against TAG|COMMIT|FOLDER [--only ${rowNames.join()}] [--seconds 1]`);
    process.exitCode = 1;
  }
}
