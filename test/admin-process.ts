import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Place } from './engines.ts';

const main = fileURLToPath(new URL('../server/admin/main.ts', import.meta.url));

export interface AdminRun {
  code: number | null;
  output: string;
  errors: string;
}

/** An operator's command as people run it, in a process of its own. */
export async function runAdmin({ databaseUrl, dataDir }: Place, ...args: string[]): Promise<AdminRun> {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      DATA_DIR: dataDir,
      TZ: 'UTC',
      ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET: 'one secret for all the processes of a test' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}
