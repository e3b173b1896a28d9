import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageSettings } from '../kit/engines.ts';
import { root, spawnNode } from '../kit/node-process.ts';
import { settingsOf } from '../kit/server-process.ts';
import { count } from './numbers.ts';

const cache = join(tmpdir(), 'stena-bench');
const sources = ['demo', 'server/db/migrations'];

/** A demo wall of so many posts on SQLite. It is cached, because a million posts take minutes to generate. */
export async function demoWall(posts: number): Promise<StorageSettings> {
  const storage = { databaseUrl: undefined, dataDir: join(cache, `${posts}-${fingerprint()}`) };
  if (existsSync(storage.dataDir)) return storage;

  await mkdir(cache, { recursive: true });
  for (const old of readdirSync(cache)) {
    if (old.startsWith(`${posts}-`)) rmSync(join(cache, old), { recursive: true });
  }
  console.error(`Generating a wall of ${count(posts)} posts in ${storage.dataDir}…`);
  const unfinished = `${storage.dataDir}.unfinished`;
  await fillDemo({ databaseUrl: undefined, dataDir: unfinished }, posts);
  renameSync(unfinished, storage.dataDir);
  return storage;
}

/** Fills an empty database. */
export async function fillDemo(storage: StorageSettings, posts: number, program = 'demo/main.ts'): Promise<void> {
  const child = spawnNode([program, '--posts', String(posts)], { env: settingsOf(storage) });
  child.stdout!.resume();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The demo wall could not be generated');
}

/** Changes with the sources that demo walls are generated from. */
function fingerprint(): string {
  const files = sources.flatMap((source) =>
    readdirSync(join(root, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return hash(
    'sha256',
    files
      .toSorted()
      .map((file) => readFileSync(file, 'utf8'))
      .join('\0'),
  ).slice(0, 12);
}
