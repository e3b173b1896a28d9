import { execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sqliteFile } from '../../../server/db/open-database.ts';
import { freshPlace, openPlace, type Place } from '../../kit/engines.ts';
import { root } from '../../kit/node-process.ts';
import { below } from '../../measurements/report.ts';
import { type Audit, audit, nothingLost, ofSeveralWalls } from '../kit/audit.ts';
import { LoadedWall } from '../kit/loaded-wall.ts';
import { type Extent, type Fault, hangsAfterMs, limitOf } from '../fault.ts';

const run = promisify(execFile);

/** scripts/fault-programs.mjs puts it there. */
const litestream = join(root, 'node_modules/.cache/litestream/node_modules/@flydotio/litestream-linux-x64/litestream');

const rounds = { short: 1, whole: 10 };
const enough = 20;
const writtenMs = { short: 0, whole: 5_000 };
const lossMs = 1_000;

/** The machine is gone while people write. What Litestream has copied elsewhere becomes the wall. */
export const continuousCopy: Fault = {
  name: 'continuous-copy',
  lacks: () =>
    access(litestream).then(
      () => undefined,
      () => 'Litestream is installed for Linux on x64 only',
    ),
  async run(extent) {
    const outcomes: Array<{ found: Audit; lostMs: number }> = [];
    for (let i = 0; i < rounds[extent]; i += 1) outcomes.push(await lose(extent));
    const found = ofSeveralWalls(outcomes.map((outcome) => outcome.found));
    const lostMs = Math.max(...outcomes.map((outcome) => outcome.lostMs));
    const what = `machine gone × ${rounds[extent]} beside a continuous copy`;
    return [
      nothingLost(`${what}, before the last moment copied`, found, rounds[extent] * enough),
      below(what, lostMs, limitOf(extent, lossMs), 'age of the oldest lost post'),
    ];
  },
};

async function lose(extent: Extent): Promise<{ found: Audit; lostMs: number }> {
  await using fresh = await freshPlace('sqlite');
  await using elsewhere = await temporaryFolder();
  const config = join(elsewhere.path, 'litestream.yml');
  await writeFile(config, settings(fresh.place, join(elsewhere.path, 'copy')));
  await using wall = await LoadedWall.open(fresh.place);
  const server = await wall.start();
  const writing = wall.write();
  const acknowledgedAt = new Map<string, number>();
  writing.onAcknowledged = (id) => acknowledgedAt.set(id, performance.now());
  const copying = spawn(litestream, ['replicate', '-config', config], { stdio: 'ignore' });
  const copied = (name: string) => restored(fresh.place, { config, folder: join(elsewhere.path, name) });
  try {
    await writing.reached(enough);
    // Until a copy has what was acknowledged after the copying began.
    const before = new Map(writing.acknowledged);
    for (let i = 0; (await lostIn(await copied(`try-${i}`), before)).length > 0; i += 1) await sleep(100);
    await sleep(writtenMs[extent]);
    copying.kill('SIGKILL');
    await server.stop('SIGKILL');
    const goneAt = performance.now();
    writing.abandon();
    const place = (await copied('new'))!;
    const acknowledged = new Map(writing.acknowledged);
    const lost = await lostIn(place, acknowledged);
    const oldest = Math.min(goneAt, ...lost.map((id) => acknowledgedAt.get(id)!));
    for (const id of lost) acknowledged.delete(id);
    return { found: await audit(place, acknowledged), lostMs: goneAt - oldest };
  } finally {
    copying.kill('SIGKILL');
  }
}

/** What the guide says, and a copy in a folder instead of a bucket. */
const settings = ({ dataDir }: Place, path: string): string => `dbs:
  - path: ${sqliteFile(dataDir)}
    monitor-interval: 250ms
    replicas:
      - type: file
        path: ${path}
        sync-interval: 250ms
`;

/** Makes a wall from the copy. Resolves to undefined if there is no copy yet. */
async function restored(
  { dataDir }: Place,
  { config, folder }: { config: string; folder: string },
): Promise<Place | undefined> {
  await mkdir(folder, { mode: 0o700 });
  const args = ['restore', '-config', config, '-o', sqliteFile(folder), sqliteFile(dataDir)];
  return run(litestream, args, { timeout: hangsAfterMs }).then(
    () => ({ databaseUrl: undefined, dataDir: folder }),
    () => undefined,
  );
}

async function lostIn(place: Place | undefined, texts: ReadonlyMap<string, string>): Promise<string[]> {
  if (place === undefined) return [...texts.keys()];
  const db = await openPlace(place);
  const posts = await db.read.selectFrom('posts').select('id').execute();
  await db.close();
  const found = new Set(posts.map(({ id }) => String(id)));
  return [...texts.keys()].filter((id) => !found.has(id));
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'stena-copy-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
