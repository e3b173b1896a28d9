import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from '../format.ts';
import { root, spawnNode } from './spawn-node.ts';

const shelf = join(tmpdir(), 'stena-bench');
const sources = ['server/demo', 'server/db/migrations'];

/** The data folder of a demo wall with so many posts. It is kept, as a million posts take minutes to make. */
export async function wallFolder(posts: number): Promise<string> {
  const name = `${posts}-${fingerprint()}`;
  const folder = join(shelf, name);
  if (existsSync(folder)) return folder;

  await mkdir(shelf, { recursive: true });
  for (const old of readdirSync(shelf)) {
    if (old.startsWith(`${posts}-`)) rmSync(join(shelf, old), { recursive: true });
  }
  console.error(`Making a wall of ${count(posts)} posts in ${folder}…`);
  const unfinished = `${folder}.unfinished`;
  const child = spawnNode(['server/demo/main.ts', '--posts', String(posts)], {
    env: { DATA_DIR: unfinished, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The demo wall could not be made');
  renameSync(unfinished, folder);
  return folder;
}

/** Changes with what the walls are made by. */
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
