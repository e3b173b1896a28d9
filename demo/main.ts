import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../server/config.ts';
import { StorageUnavailable, StorageUnfit } from '../server/db/database.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { fillWall, WallNotEmpty } from './fill.ts';

const seed = 2_026;
const progressInterval = 100_000;
const usage = 'Usage: npm run demo -- --posts 20000 (a whole number from 1 to 10000000)';

process.umask(0o077);
try {
  await main();
} catch (error) {
  const known = [ConfigError, StorageUnfit, StorageUnavailable, WallNotEmpty].some((kind) => error instanceof kind);
  console.error(known ? (error as Error).message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const posts = postCount();
  if (posts === undefined) {
    console.error(usage);
    process.exitCode = 1;
    return;
  }
  const startedAt = performance.now();
  const seconds = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  const db = await openDatabase(readConfig(process.env), (error) => console.error(error.message));
  try {
    const until = Math.floor(Date.now() / 1_000);
    const filled = await fillWall(db, { posts, until, seed }, (done) => {
      if (done % progressInterval === 0 && done < posts) console.log(`${done} posts, ${seconds()}`);
    });
    const { people, replies, likes } = filled;
    console.log(
      `The wall has ${people} people, ${posts} posts (${replies} of them replies), ${likes} likes: ${seconds()}`,
    );
  } finally {
    await db.close();
  }
}

function postCount(): number | undefined {
  try {
    const { values } = parseArgs({ options: { posts: { type: 'string', default: '20000' } } });
    return /^[1-9]\d{0,6}$|^10000000$/.test(values.posts) ? Number(values.posts) : undefined;
  } catch {
    return undefined;
  }
}
