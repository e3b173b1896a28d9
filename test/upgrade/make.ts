// npm run upgrade-fixture -- release/1.0.0/stena-1.0.0-linux-x64.tar.gz
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runOnDatabase } from '../../server/commands/backup/postgres-tools.ts';
import { freshStorageToCopy } from '../kit/backup-process.ts';
import { type Engine, engines, type StorageSettings } from '../kit/engines.ts';
import { fileOf, fixtures, liveOn, startWall } from './lived-wall.ts';

/** Fixtures stay in the repository for ever. */
const maxBytes = 300_000;

const [tarball] = process.argv.slice(2);
if (!tarball) {
  console.error('Usage: npm run upgrade-fixture -- release/1.0.0/stena-1.0.0-linux-x64.tar.gz');
  process.exit(1);
}

const unpacked = mkdtempSync(join(tmpdir(), 'stena-fixture-'));
try {
  execFileSync('tar', ['xf', resolve(tarball), '-C', unpacked]);
  const program = join(unpacked, readdirSync(unpacked)[0]!);
  const { version } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as { version: string };
  rmSync(join(fixtures, version), { recursive: true, force: true });
  mkdirSync(join(fixtures, version), { recursive: true });
  for (const engine of engines) await makeFixture(program, version, engine);
} finally {
  rmSync(unpacked, { recursive: true });
}

async function makeFixture(program: string, version: string, engine: Engine): Promise<void> {
  await using fresh = await freshStorageToCopy(engine);
  await using wall = await startWall(fresh.storage, program);
  const remembered = await liveOn(wall);
  await wall.server.stop('SIGKILL');
  await packLeft(fresh.storage, version, engine);
  const backup = join(fresh.storage.dataDir, 'wall.backup');
  await wall.command('backup/main.ts', 'backup', backup);
  pack(version, engine, 'backup', readFileSync(backup));
  pack(version, engine, 'remembered', Buffer.from(JSON.stringify(remembered)));
}

async function packLeft({ dataDir, databaseUrl }: StorageSettings, version: string, engine: Engine): Promise<void> {
  if (databaseUrl) {
    const what = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', '--schema=public'];
    const dump = await runOnDatabase('pg_dump', what, databaseUrl);
    // Lines with a backslash are for psql. The dump changes the search path of its connection, which is used for nothing else.
    pack(version, engine, 'left', Buffer.from(dump.replace(/^\\.*$/gm, '')));
    return;
  }
  if (statSync(join(dataDir, 'stena.sqlite-wal')).size === 0) throw new Error('The kill left no WAL.');
  const files = ['secret', 'stena.sqlite', 'stena.sqlite-wal'];
  const tar = execFileSync('tar', ['c', '-C', dataDir, ...files], { maxBuffer: 2 ** 28 });
  pack(version, engine, 'left', tar);
}

function pack(version: string, engine: Engine, kind: Parameters<typeof fileOf>[2], content: Buffer): void {
  const file = fileOf(version, engine, kind);
  const packed = gzipSync(content, { level: 9 });
  if (packed.length > maxBytes) throw new Error(`${file} would have ${packed.length} bytes.`);
  writeFileSync(file, packed);
  console.log(`${file}: ${packed.length} bytes`);
}
